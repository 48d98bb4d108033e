import type { Request, Response } from 'express';

/** One preference: a name, perhaps a value (a word or in quotes), perhaps parameters, which are passed over. */
const PREFERENCE =
  /[\s,]*([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([\w!#$%&'*+.^`|~-]*)))?(?:\s*;[^,"]*(?:"(?:[^"\\]|\\.)*"[^,"]*)*)?/gy;

/** The preferences of the `Prefer` headers (RFC 7240) by name; of one name given twice the first counts. */
export function preferences(header = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, name, quoted, word] of header.matchAll(PREFERENCE)) {
    const key = name!.toLowerCase();
    if (!found.has(key)) found.set(key, quoted?.replace(/\\(.)/g, '$1') ?? word ?? '');
  }
  return found;
}

/** Whether the caller asked to be refused rather than helped (`Prefer: handling=strict`); if so, the answer says it was heard. */
export function prefersStrict(request: Request, response: Response): boolean {
  const strict = preferences(request.get('prefer')).get('handling')?.toLowerCase() === 'strict';
  if (strict) response.set('Preference-Applied', 'handling=strict');
  return strict;
}
