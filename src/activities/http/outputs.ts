import { readFile } from 'node:fs/promises';
import type { StoredValue } from '../../contract/payloads.ts';
import type { Json, JsonObject } from '../../plan/json.ts';
import type { ArtifactStore } from '../artifact-store.ts';
import type { Mask } from '../masking.ts';
import { bodyForm } from './content-types.ts';
import type { Answer } from './follow.ts';

interface Keeping {
  store: ArtifactStore;
  inlineLimit: number;
  /** For what the answer says besides its body, which was masked as it came. */
  mask: Mask;
}

/** What an answer leaves for others, its body in a file; each part inline when small, else by reference. */
export async function outputsOf(answer: Answer, path: string, bytes: number, keeping: Keeping): Promise<JsonObject> {
  const { status, headers, url } = answer;
  return {
    status,
    headers: await kept(keeping.mask.json(headersOf(headers)), keeping),
    body: await bodyOf(String(headers['content-type'] ?? ''), path, bytes, keeping),
    url: await kept(keeping.mask.text(url.href), keeping),
  };
}

async function kept(value: Json, { store, inlineLimit }: Keeping): Promise<Json> {
  if (fitsInline(value, inlineLimit)) return value;
  return typeof value === 'string'
    ? { ...(await store.putText(value)) }
    : json(await store.putText(JSON.stringify(value)));
}

async function bodyOf(
  contentType: string,
  path: string,
  bytes: number,
  { store, inlineLimit }: Keeping,
): Promise<Json> {
  const form = bodyForm(contentType);
  if (bytes === 0) return form === 'text' ? '' : null;
  if (form === 'binary') return { $stored: { ...(await store.putFile(path)).$stored, head: '', tail: '' } };
  if (form === 'text' && bytes > inlineLimit) return { ...(await store.putFile(path)) };
  const text = new TextDecoder().decode(await readFile(path));
  const parsed = form === 'json' ? parseJson(text) : undefined;
  const body = parsed ? parsed.value : text.replace(/\r?\n$/, '');
  if (bytes <= inlineLimit && fitsInline(body, inlineLimit)) return body;
  const stored = await store.putFile(path);
  return parsed ? json(stored) : { ...stored };
}

/** Small enough, and nothing in it, sent by somebody else, could pass for a reference of ours. */
function fitsInline(value: Json, limit: number): boolean {
  const text = JSON.stringify(value);
  return Buffer.byteLength(text) <= limit && !text.includes('"$stored"');
}

const json = ({ $stored }: StoredValue): JsonObject => ({ $stored: { ...$stored, json: true } });

/** Undefined when it is none, whatever its header says: then it is taken as the text that it is. */
function parseJson(text: string): { value: Json } | undefined {
  try {
    return { value: JSON.parse(text) as Json };
  } catch {
    return undefined;
  }
}

const HEADERS_BYTES = 16 * 1_024;

/** All headers but cookies; past 16 KiB in all, the longest are left out. */
function headersOf(headers: Answer['headers']): JsonObject {
  const entries = Object.entries(headers)
    .filter(([name, value]) => name !== 'set-cookie' && value !== undefined)
    .map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value!] as const)
    .sort(([, a], [, b]) => a.length - b.length);
  let bytes = 0;
  return Object.fromEntries(
    entries.filter(([name, value]) => {
      bytes += name.length + Buffer.byteLength(value);
      return bytes <= HEADERS_BYTES;
    }),
  );
}
