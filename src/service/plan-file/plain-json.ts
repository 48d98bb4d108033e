import { isAlias, isMap, isScalar, isSeq, type ParsedNode, type Scalar, type YAMLMap, type YAMLSeq } from 'yaml';
import type { Json, JsonObject } from '../../plan/json.ts';

export type Path = (string | number)[];

/** Where the parts of every map and list stand in the text, as offsets; by the map or list itself. */
export type Places = WeakMap<object, Map<string | number, Place>>;
export interface Place {
  key: number;
  value: number;
  end: number;
}

export const DEEPEST = 32;
const LONGEST_KEY = 256;
/** Keys that would reach into an object's prototype, and the one by which references into the artifact store are known. */
export const FORBIDDEN_KEYS = ['__proto__', 'constructor', 'prototype', '$stored'];

interface Reading {
  /** What is read, in the words of messages. */
  what: string;
  places: Places;
  /** Characters the file may have once its aliases are written out. */
  largest: number;
  fault(message: string, offset: number, path: Path): void;
}
/** A value with its depth and its length; a value that aliases repeat counts each time. */
interface Measured {
  value: Json;
  height: number;
  length: number;
}
const NOTHING: Measured = { value: null, height: 0, length: 0 };

/**
 * Plain data from YAML's nodes, in one pass. Aliases share what they name, so that no alias bomb goes off; undefined when
 * the file would be too large with them written out.
 */
export function plainJson(contents: ParsedNode | null, { what, places, largest, fault }: Reading): Json | undefined {
  const anchors = new Map<string, Measured>();
  const path: Path = [];
  let repeated = 0;

  function read(node: unknown): Measured {
    if (isAlias(node)) return alias(node.source, node.range![0]);
    let found = NOTHING;
    if (isMap(node)) found = within(node, readMap);
    else if (isSeq(node)) found = within(node, readList);
    else if (isScalar(node)) found = scalar(node);
    if ((isMap(node) || isSeq(node) || isScalar(node)) && node.anchor) anchors.set(node.anchor, found);
    return found;
  }

  function alias(name: string, offset: number): Measured {
    const found = anchors.get(name);
    if (!found) fault(`*${name} repeats nothing: no value before it is marked &${name}`, offset, [...path]);
    else if (path.length + found.height > DEEPEST) fault(tooDeep, offset, [...path]);
    else if (repeated <= largest) {
      repeated += found.length;
      if (repeated <= largest) return found;
      const size = `${largest / 1_024 / 1_024} MiB`;
      fault(`with its aliases written out the ${what} is larger than ${size}`, offset, [...path]);
    }
    return NOTHING;
  }

  function within<Node extends YAMLMap | YAMLSeq>(
    node: Node,
    work: (node: Node, at: Map<string | number, Place>) => Measured,
  ) {
    if (path.length >= DEEPEST) {
      fault(tooDeep, node.range![0], [...path]);
      return NOTHING;
    }
    const at = new Map<string | number, Place>();
    const found = work(node, at);
    places.set(found.value as object, at);
    return found;
  }

  function readMap({ items }: YAMLMap, at: Map<string | number, Place>): Measured {
    const value: JsonObject = {};
    let [height, length] = [0, 1];
    for (const pair of items) {
      const key = keyOf(pair.key);
      const offset = (pair.key as ParsedNode | null)?.range[0] ?? 0;
      path.push(key ?? '');
      const item = read(pair.value);
      const problem = keyProblem(key, at);
      if (problem !== undefined)
        fault(problem, offset, key === undefined || key.length > LONGEST_KEY ? path.slice(0, -1) : [...path]);
      else if (key !== undefined) {
        value[key] = item.value;
        at.set(key, { key: offset, ...rangeOf(pair.value, offset) });
        height = Math.max(height, item.height);
        length += key.length + item.length;
      }
      path.pop();
    }
    return { value, height: height + 1, length };
  }

  function keyProblem(key: string | undefined, at: Map<string | number, Place>): string | undefined {
    if (key === undefined) return 'a key has to be a word';
    if (FORBIDDEN_KEYS.includes(key)) return `"${key}" cannot be a key; choose another name`;
    if (!isWellFormed(key)) return 'a key holds half a character (a lone surrogate)';
    if (key === '<<') return 'merge keys (<<) are not supported; write the words out';
    if (key.length > LONGEST_KEY) return `a key has at most ${LONGEST_KEY} characters`;
    return at.has(key) ? `"${key}" is given twice; keep one` : undefined;
  }

  function readList({ items }: YAMLSeq, at: Map<string | number, Place>): Measured {
    let [height, length] = [0, 1];
    const value = items.map((node, i) => {
      path.push(i);
      const item = read(node);
      path.pop();
      const range = rangeOf(node, 0);
      at.set(i, { key: range.value, ...range });
      height = Math.max(height, item.height);
      length += item.length;
      return item.value;
    });
    return { value, height: height + 1, length };
  }

  function scalar({ value, source, range, tag }: Scalar): Measured {
    const problem = valueProblem(value, tag);
    if (problem !== undefined) {
      fault(problem, range![0], [...path]);
      return NOTHING;
    }
    if (
      typeof value === 'number' &&
      (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))
    ) {
      fault(`${source} is not a number that can be kept exactly; write it in quotes`, range![0], [...path]);
      return NOTHING;
    }
    return { value: value as Json, height: 0, length: typeof value === 'string' ? value.length : 4 };
  }

  const { value } = read(contents);
  return repeated > largest ? undefined : value;
}

function valueProblem(value: unknown, tag: string | undefined): string | undefined {
  if (value !== null && !['string', 'number', 'boolean'].includes(typeof value))
    return `the tag ${tag ?? '!!'} is not supported; write the value as plain text`;
  if (typeof value === 'string' && !isWellFormed(value))
    return 'the text holds half a character (a lone surrogate), which no file or message can hold';
  return undefined;
}

const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text);

export const tooDeep = `nested deeper than ${DEEPEST} levels`;

export const isJsonObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A key as it is written: `1:` and `true:` are words here. */
function keyOf(node: unknown): string | undefined {
  if (!isScalar(node) || node.value === null) return undefined;
  return typeof node.value === 'string' ? node.value : node.source;
}

function rangeOf(node: unknown, otherwise: number): { value: number; end: number } {
  const range = (node as ParsedNode | null | undefined)?.range;
  return { value: range?.[0] ?? otherwise, end: range?.[1] ?? otherwise };
}
