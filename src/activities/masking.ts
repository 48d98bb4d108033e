import type { Json } from '../plan/json.ts';

/** Puts `***` in the place of secret values, in what a task leaves for others to read. */
export interface Mask {
  text(text: string): string;
  /** Texts and keys anywhere inside a value, and numbers that are a secret. */
  json(value: Json): Json;
  /** For output that comes in pieces; undefined when nothing is secret. */
  stream(): MaskedStream | undefined;
}

export interface MaskedStream {
  /** What of all that came can be shown already: an end that may be the beginning of a secret is held back. */
  write(chunk: Buffer): Buffer;
  end(): Buffer;
}

const SHOWN = '***';
/** Shorter values would be found in any text, and are guessed anyway. */
export const SHORTEST_MASKED = 4;
const SHORTEST_ENCODED = 8;

/** Everything here works on bytes, written as a string of one character each. */
const bytesOf = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
const fromBytes = (bytes: string): Buffer => Buffer.from(bytes, 'latin1');

export function maskOf(values: readonly string[]): Mask {
  const forms = [...new Set(values.flatMap(formsOf))].sort((a, b) => b.length - a.length);
  if (forms.length === 0) return { text: (text) => text, json: (value) => value, stream: () => undefined };
  const pattern = new RegExp(forms.map(literally).join('|'), 'g');
  const text = (given: string): string => {
    const bytes = bytesOf(given);
    const masked = bytes.replace(pattern, SHOWN);
    return masked === bytes ? given : fromBytes(masked).toString('utf8');
  };
  return { text, json: (value) => maskedJson(value, text), stream: () => maskedStream(forms, pattern) };
}

/** How a value may come to be written: as it is, line by line, in JSON, in a URL, in base64 wherever it begins there. */
function formsOf(value: string): string[] {
  const trimmed = value.trim();
  if (trimmed.length < SHORTEST_MASKED) return [];
  const lines = trimmed.split(/\r?\n/).map((line) => line.trim());
  const inUrls = [
    encodeURIComponent(trimmed),
    encodeURI(trimmed),
    new URLSearchParams({ '': trimmed }).toString().slice(1),
  ];
  const encoded = [JSON.stringify(trimmed).slice(1, -1), ...inUrls, ...base64Of(trimmed)];
  return [
    trimmed,
    ...lines.filter(({ length }) => lines.length > 1 && length >= SHORTEST_ENCODED),
    ...encoded.filter(({ length }) => length >= SHORTEST_ENCODED),
  ].map(bytesOf);
}

/** Base64 writes three bytes in four characters, so that a value has three forms, by where in a text it begins. */
function base64Of(value: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(value)]);
    const own = bytes.subarray(0, bytes.length - (bytes.length % 3));
    // Characters that hold bits of what stands before it are not its own.
    const text = own.toString('base64').slice(Math.ceil((before * 4) / 3));
    return [text, text.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

function maskedJson(value: Json, text: (given: string) => string): Json {
  if (typeof value === 'string') return text(value);
  if (typeof value === 'number') return text(String(value)) === SHOWN ? SHOWN : value;
  if (Array.isArray(value)) return value.map((item) => maskedJson(item, text));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [text(key), maskedJson(item, text)]));
}

function maskedStream(forms: readonly string[], pattern: RegExp): MaskedStream {
  let held = '';
  return {
    write(chunk) {
      const all = held + chunk.toString('latin1');
      const open = beginnings(all, forms);
      let shown = '';
      let at = 0;
      for (const { 0: found, index } of all.matchAll(pattern)) {
        // What may yet become a longer secret is not taken for the shorter one in it.
        if (open.some((begin) => begin >= at && begin <= index)) break;
        shown += all.slice(at, index) + SHOWN;
        at = index + found.length;
      }
      const hold = open.find((begin) => begin >= at) ?? all.length;
      held = all.slice(hold);
      return fromBytes(shown + all.slice(at, hold));
    },
    end() {
      const rest = fromBytes(held.replace(pattern, SHOWN));
      held = '';
      return rest;
    },
  };
}

/** Where at the end of what came a secret may begin whose rest is still to come; in order. */
function beginnings(all: string, forms: readonly string[]): number[] {
  const found: number[] = [];
  for (let at = Math.max(0, all.length - forms[0]!.length + 1); at < all.length; at++) {
    const end = all.slice(at);
    if (forms.some((form) => form.length > end.length && form.startsWith(end))) found.push(at);
  }
  return found;
}
