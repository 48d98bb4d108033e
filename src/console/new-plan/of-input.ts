import type { Problem } from '../api/types.ts';
import type { JsonSchema } from '../ui/json-form/schema.ts';

export type FileProblem = NonNullable<Problem['errors']>[number];

/** Whether a problem is about what is given for an input, or not given: that is said at the form, for the file is right. */
export function isOfInput({ path, line }: FileProblem, schema: JsonSchema | undefined, given: object): boolean {
  const [top, name] = path;
  if (path.length !== 2 || top !== 'inputs' || typeof name !== 'string') return false;
  const isMissing = schema?.required?.includes(name) === true && !Object.hasOwn(given, name);
  return schema?.properties?.[name] !== undefined && (line === undefined || isMissing);
}
