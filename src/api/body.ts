import express, { type Request } from 'express';
import { Fault } from '../faults.ts';
import { textOfBytes } from '../service/plan-file/bytes.ts';
import { parseJson } from './parse-json.ts';

const KIB = 1_024;
const MIB = KIB * KIB;

/** Takes in the whole body, whatever its type: what it is and whether that is wanted, the handler says. */
export const readBody = express.raw({ type: () => true, limit: 10 * MIB });
/** Of callers who are not known yet. */
export const readSmallBody = express.raw({ type: () => true, limit: 16 * KIB });

/** A limit as people say it. */
export const sizeText = (bytes: number): string => (bytes >= MIB ? `${bytes / MIB}mb` : `${bytes / KIB}kb`);

/** Content types by what they hold; the first of each is the one to recommend. */
const TYPES = {
  json: ['application/json', '+json'],
  yaml: ['application/yaml', 'text/yaml', 'application/x-yaml', 'text/x-yaml', 'text/plain'],
  text: ['text/plain', 'text/markdown'],
} as const;
type Form = keyof typeof TYPES;

/** The body as text, undefined when there is none. Throws MEDIA_TYPE_UNSUPPORTED unless it is of one of the forms. */
export function textBody(request: Request, ...forms: Form[]): { form: Form; text: string } | undefined {
  const bytes: unknown = request.body;
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) return undefined;
  const form = forms.find((form) => request.is([...TYPES[form]]));
  const type = request.get('content-type');
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(type ?? '')?.[1] ?? 'utf-8';
  if (!form || !/^(utf-?8|us-ascii)$/i.test(charset)) {
    const wanted = forms.map((form) => TYPES[form][0]).join(' or ');
    throw new Fault('MEDIA_TYPE_UNSUPPORTED', `the body is ${type ?? 'of no content type'}; send ${wanted}, in UTF-8`);
  }
  return { form, text: textOfBytes(bytes, 'REQUEST_INVALID') };
}

/** A JSON body's value, an empty object when there is none. */
export function jsonBody(request: Request): unknown {
  const body = textBody(request, 'json');
  return body && body.text.trim() !== '' ? parseJson(body.text) : {};
}
