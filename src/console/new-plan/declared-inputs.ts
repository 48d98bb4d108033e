import type { JsonSchema } from '../ui/json-form/schema.ts';

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const LIST = { type: 'array', items: { type: 'string' } };
/** What a workflow file takes, which declares nothing. */
const OF_WORKFLOWS: JsonSchema = {
  type: 'object',
  properties: {
    args: { ...LIST, description: 'Values; its steps are done once for each' },
    map: { ...LIST, description: 'Patterns of files; its steps are done once for each file' },
  },
};

/** What a plan file asks of whoever starts it, as a form; undefined where it asks nothing. Throws on what is no YAML. */
export async function declaredInputs(text: string): Promise<JsonSchema | undefined> {
  const { parse } = await import('yaml');
  const read = (part: string): unknown => parse(part, { logLevel: 'silent' });
  const file = isBlockStyle(text) ? { ...keysOf(text), inputs: readPart(text, read) } : read(text);
  if (!isMap(file)) return undefined;
  if (!('plan' in file) && 'steps' in file) return OF_WORKFLOWS;
  return isMap(file.inputs) ? formOf(file.inputs) : undefined;
}

function formOf(inputs: Record<string, unknown>): JsonSchema | undefined {
  const declared = Object.entries(inputs).filter((entry): entry is [string, Record<string, unknown>] =>
    isMap(entry[1]),
  );
  if (declared.length === 0) return undefined;
  const properties = Object.fromEntries(declared.map(([name, declaration]) => [name, fieldOf(declaration)]));
  const required = declared.filter(([, it]) => isNeeded(it)).map(([name]) => name);
  return { type: 'object', properties, required };
}

const isNeeded = ({ required, default: usual }: Record<string, unknown>): boolean =>
  required === true || (usual === undefined && required !== false);

function fieldOf({ type = 'string', description, default: usual, enum: allowed, required }: Record<string, unknown>) {
  return {
    ...(typeof type === 'string' && { type }),
    ...(typeof description === 'string' && { description }),
    // One that has to be given all the same has none.
    ...(usual !== undefined && required !== true && { default: usual }),
    ...(Array.isArray(allowed) && { enum: allowed }),
  } satisfies JsonSchema;
}

/** A file of thousands of tasks is not read whole on every key: of one in blocks the part that counts is enough. */
const isBlockStyle = (text: string): boolean => /^(?:plan|name|tasks|steps|inputs):/m.test(text);

const keysOf = (text: string): Record<string, true> =>
  Object.fromEntries(Array.from(text.matchAll(/^([\w-]+):/gm), ([, key]) => [key!, true]));

function readPart(text: string, read: (part: string) => unknown): unknown {
  const [part] = /^inputs:.*(?:\n(?:[ \t#}].*|[ \t]*))*/m.exec(text) ?? [];
  if (part === undefined) return undefined;
  const whole = /[&*]\w/.test(part) ? read(text) : read(part);
  return isMap(whole) ? whole.inputs : undefined;
}
