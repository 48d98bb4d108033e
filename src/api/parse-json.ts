import { Fault } from '../faults.ts';
import { mustBeShallow } from '../service/nesting.ts';

/** Reads JSON; throws REQUEST_INVALID, with the place where the parser told one. */
export function parseJson(text: string): unknown {
  const value = parse(text);
  mustBeShallow(value, 'the JSON is');
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = `this is not valid JSON: ${(error as Error).message}`;
    const place = placeOf(text, (error as Error).message);
    const where = place ? `line ${place.line}, column ${place.column}: ` : '';
    throw new Fault('REQUEST_INVALID', `${where}${message}`, {
      cause: error,
      errors: [{ message, path: [], ...place }],
    });
  }
}

function placeOf(text: string, message: string): { line: number; column: number } | undefined {
  const told = /at position (\d+)/.exec(message)?.[1];
  const offset = told !== undefined ? Number(told) : message.includes('end of JSON') ? text.length : undefined;
  if (offset === undefined) return undefined;
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: before.at(-1)!.length + 1 };
}
