import type { JsonObject } from '../json.ts';

/** A place in a step's text where a value may stand, as in `$ARG`, `${shell.output}` or `${name:-none}`. */
export interface Reference {
  /** As it stands in the text. */
  written: string;
  /** `shell`, `output`; entries of lists by their number, as text. */
  path: string[];
  /** Stands for it when there is no value: `shell` is a form that bash knows too. */
  fallback?: { form: 'shell' | 'own'; text: string };
  /** `${date:%F}`: the format. */
  format?: string;
}
export type Piece = { text: string } | Reference;

/** What an iteration is given. */
export const GIVEN = ['ARG', 'FILE', 'INDEX', 'TOTAL'] as const;

/** By what name a plan reads what the present iteration works on: `{ name, file, total }`. */
export const ITERATION = 'item';

/** The values of GIVEN, from what an iteration's expressions read; without one they are empty. */
export function givenBy({ item, index }: { item?: unknown; index?: unknown }): JsonObject {
  const { name = '', file = '', total = 1 } = (item ?? {}) as JsonObject;
  return { ARG: name, FILE: file, INDEX: typeof index === 'number' ? index + 1 : 1, TOTAL: total };
}

const REFERENCE = /\\?\$(?:\{([^{}\n]*)\}|(ARG|FILE|INDEX|TOTAL)(?![A-Za-z0-9_]))/g;
const INSIDE = /^([A-Za-z_][\w-]*)((?:\.[\w-]+|\[\d+\])*)(?::-(.*)|\|default:(.*))?$/s;

/** Splits a text at its references; what stands behind a backslash, or is no reference by its form, is text. */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const found of text.matchAll(REFERENCE)) {
    const reference = found[0].startsWith('\\') ? undefined : referenceOf(found[0], found[1] ?? found[2]!);
    if (!reference) continue;
    if (found.index > from) pieces.push({ text: text.slice(from, found.index) });
    pieces.push(reference);
    from = found.index + found[0].length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from) });
  return pieces;
}

function referenceOf(written: string, inside: string): Reference | undefined {
  const format = /^date:(%.*|)$/.exec(inside)?.[1];
  if (format !== undefined) return { written, path: ['date'], format: format || '%F' };
  const [, root, rest, shell, own] = INSIDE.exec(inside) ?? [];
  if (root === undefined) return undefined;
  const path = [root, ...Array.from(rest!.matchAll(/[\w-]+/g), ([part]) => part)];
  const fallback = shell !== undefined ? { form: 'shell' as const, text: shell } : undefined;
  return {
    written,
    path,
    ...(own !== undefined ? { fallback: { form: 'own', text: own } } : fallback && { fallback }),
  };
}

export const referencesIn = (text: string): Reference[] =>
  piecesOf(text).filter((piece): piece is Reference => 'path' in piece);
