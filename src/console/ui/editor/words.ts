/** The parts of a JSON Schema by which words are offered. */
export interface WordSchema {
  $ref?: string;
  description?: string;
  properties?: Record<string, WordSchema>;
  additionalProperties?: WordSchema | boolean;
  items?: WordSchema;
  anyOf?: WordSchema[];
  oneOf?: WordSchema[];
  allOf?: WordSchema[];
  definitions?: Record<string, WordSchema>;
}

/** An entry of a list. */
const ENTRY = '[]';

/**
 * Which part of a YAML file a key would be in that begins at the end of this text: keys from the top, by how far lines are
 * indented. No parser: it works while the text is not whole.
 */
export function pathAt(before: string): string[] {
  const lines = before.split('\n');
  const last = lines.pop()!;
  const flow = flowPath(last);
  // A brace right after a dash is the entry itself.
  const path = flow.filter((key) => key !== '');
  const { dashes, key, column } = shapeOf(last);
  let below = flow.length > 0 && key !== undefined ? { key: column, dash: column } : { key: Infinity, dash: Infinity };
  if (flow.length === 0) below = { key: last.length, dash: last.length };
  takeDashes(dashes);
  for (const line of lines.toReversed()) {
    const shape = shapeOf(line);
    if (shape.key !== undefined && shape.column < below.key) {
      path.unshift(shape.key);
      below = { key: shape.column, dash: shape.column };
    }
    if (shape.key !== undefined || shape.dashes.length > 0) takeDashes(shape.dashes);
  }
  return path;

  function takeDashes(columns: number[]): void {
    for (const at of columns.toReversed()) {
      if (at >= below.dash) continue;
      path.unshift(ENTRY);
      // The key of a list may stand as far in as its dashes.
      below = { key: at + 1, dash: at };
    }
  }
}

/** Where a line's dashes are, and its first key. */
function shapeOf(line: string): { dashes: number[]; key: string | undefined; column: number } {
  const [opening] = /^\s*(?:-\s+)*/.exec(line)!;
  const dashes = Array.from(opening.matchAll(/-/g), ({ index }) => index);
  const found = /^(?:"([^"]+)"|'([^']+)'|([\w./-]+))\s*:/.exec(line.slice(opening.length));
  return { dashes, key: found?.[1] ?? found?.[2] ?? found?.[3], column: opening.length };
}

/** Of the last line: the keys whose `{` are still open. */
function flowPath(line: string): string[] {
  const open: string[] = [];
  let key = '';
  for (const [token, word] of line.matchAll(/"[^"]*"|'[^']*'|([\w./-]+)(?=\s*:)|[{}]/g))
    if (token === '{') open.push(key);
    else if (token === '}') open.pop();
    else key = word ?? token.slice(1, -1);
  return open;
}

/** The keys that a schema has at a place, with what they mean. */
export function wordsAt(schema: WordSchema, path: readonly string[]): Map<string, string> {
  let at = [schema];
  for (const key of path) at = at.flatMap((one) => variants(schema, one)).flatMap((one) => within(one, key));
  const words = new Map<string, string>();
  for (const one of at.flatMap((each) => variants(schema, each)))
    for (const [word, { description }] of Object.entries(one.properties ?? {})) words.set(word, description ?? '');
  return words;
}

function within({ properties, additionalProperties, items }: WordSchema, key: string): WordSchema[] {
  if (key === ENTRY) return items ? [items] : [];
  const own = properties?.[key];
  if (own) return [own];
  return typeof additionalProperties === 'object' ? [additionalProperties] : [];
}

/** All that a part of the schema may stand for. */
function variants(root: WordSchema, schema: WordSchema, depth = 0): WordSchema[] {
  if (depth > 8) return [];
  const name = /^#\/definitions\/(.+)$/.exec(schema.$ref ?? '')?.[1];
  const referred = name === undefined ? undefined : root.definitions?.[name];
  const inner = [
    ...(referred ? [referred] : []),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...(schema.allOf ?? []),
  ];
  return [schema, ...inner.flatMap((one) => variants(root, one, depth + 1))];
}
