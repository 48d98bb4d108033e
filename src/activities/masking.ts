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

/** Everything here works on bytes, written as a string of one character each; what is looked for has no upper case. */
const bytesOf = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
const fromBytes = (bytes: string): Buffer => Buffer.from(bytes, 'latin1');

export function maskOf(values: readonly string[]): Mask {
  const forms = [...new Set(values.flatMap(formsOf))].sort((a, b) => b.length - a.length);
  if (forms.length === 0) return { text: (text) => text, json: (value) => value, stream: () => undefined };
  const pattern = new RegExp(forms.map(literally).join('|'), 'g');
  const text = (given: string): string => {
    const bytes = bytesOf(given);
    const masked = hidden(bytes, pattern);
    return masked === bytes ? given : fromBytes(masked).toString('utf8');
  };
  return { text, json: (value) => maskedJson(value, text), stream: () => maskedStream(forms, pattern) };
}

/** A character stays one character: places in the one are places in the other. */
const withoutCase = (bytes: string): string => bytes.toLowerCase();

function hidden(bytes: string, pattern: RegExp): string {
  let shown = '';
  let at = 0;
  for (const { 0: found, index } of withoutCase(bytes).matchAll(pattern)) {
    shown += bytes.slice(at, index) + SHOWN;
    at = index + found.length;
  }
  return shown + bytes.slice(at);
}

/**
 * How a value may come to be written: as it is, line by line, in JSON, in a URL, in base64 wherever it begins there. In any
 * case: host names lose theirs, environment variables and headers gain some.
 */
function formsOf(value: string): string[] {
  // Of letters beyond ASCII the bytes themselves differ.
  const cased = [value, value.toLowerCase(), value.toUpperCase()].flatMap(writtenForms);
  return [...cased, ...base64Of(value.trim()).filter(({ length }) => length >= SHORTEST_ENCODED)]
    .map(bytesOf)
    .map(withoutCase);
}

function writtenForms(value: string): string[] {
  const trimmed = value.trim();
  if (trimmed.length < SHORTEST_MASKED) return [];
  const lines = trimmed.split(/\r?\n/).map((line) => line.trim());
  const inUrls = [
    encodeURIComponent(trimmed),
    encodeURI(trimmed),
    new URLSearchParams({ '': trimmed }).toString().slice(1),
  ];
  const encoded = [JSON.stringify(trimmed).slice(1, -1), ...inUrls];
  return [
    trimmed,
    ...lines.filter(({ length }) => lines.length > 1 && length >= SHORTEST_ENCODED),
    ...encoded.filter(({ length }) => length >= SHORTEST_ENCODED),
  ];
}

/**
 * Base64 writes three bytes in four characters, so that a value has three forms, by where in a text it begins. How its last
 * bytes are written depends on what comes after: more text, a line's end, or nothing, which may be padded.
 */
function base64Of(value: string): string[] {
  if (value.length < SHORTEST_MASKED) return [];
  return [0, 1, 2].flatMap((before) => {
    // Characters that hold bits of what stands before or after it are not its own.
    const first = Math.ceil((before * 4) / 3);
    const written = (after: string) =>
      Buffer.concat([Buffer.alloc(before), Buffer.from(value + after)])
        .toString('base64')
        .slice(first);
    const own = Math.floor(((before + Buffer.byteLength(value)) * 4) / 3) - first;
    const ends = [written(''), written('\n'), written('\r\n')];
    return [written('').slice(0, own), ...ends, ...ends.map((text) => text.replace(/=+$/, ''))].flatMap((text) => [
      text,
      text.replaceAll('+', '-').replaceAll('/', '_'),
    ]);
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
  const longest = forms[0]!.length;
  const byFirst = formsByFirst(forms);
  let held = '';
  return {
    write(chunk) {
      const all = held + chunk.toString('latin1');
      const plain = withoutCase(all);
      const open = beginnings(plain, byFirst, longest);
      let shown = '';
      let at = 0;
      for (const { 0: found, index } of plain.matchAll(pattern)) {
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
      const rest = fromBytes(hidden(held, pattern));
      held = '';
      return rest;
    },
  };
}

function formsByFirst(forms: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const form of forms) found.set(form[0]!, [...(found.get(form[0]!) ?? []), form]);
  return found;
}

/** Where at the end of what came a secret may begin whose rest is still to come; in order. */
function beginnings(all: string, forms: ReadonlyMap<string, string[]>, longest: number): number[] {
  const found: number[] = [];
  for (let at = Math.max(0, all.length - longest + 1); at < all.length; at++) {
    const end = all.slice(at);
    if (forms.get(end[0]!)?.some((form) => form.length > end.length && form.startsWith(end))) found.push(at);
  }
  return found;
}
