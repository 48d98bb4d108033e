import { canonical } from '../../plan/fingerprint.ts';
import type { Json, JsonObject } from '../../plan/json.ts';
import { type InputDeclaration, type InputType, inputDeclaration } from '../../plan/schema.ts';
import { describe, nameOfType, quote } from './describe.ts';
import { DEEPEST, FORBIDDEN_KEYS, isJsonObject } from './plain-json.ts';
import type { Report } from './problems.ts';

export interface Values {
  given: JsonObject;
  /** Given for an earlier run. */
  kept: JsonObject;
}

/** Checks what the plan declares and what was given for it; gives the values, with defaults. */
export function checkInputs(declared: JsonObject | undefined, { given, kept }: Values, report: Report): JsonObject {
  const values: JsonObject = {};
  if (!declared) return values;
  const names = Object.keys(declared);
  for (const name of names) {
    // What is not well-formed was told with the rest of the file.
    const { data: declaration } = inputDeclaration.safeParse(declared[name]);
    if (!declaration) continue;
    checkDeclaration(name, declaration, report);
    const isGiven = Object.hasOwn(given, name);
    const value = isGiven ? given[name]! : Object.hasOwn(kept, name) ? kept[name]! : undefined;
    if (value !== undefined) {
      const read = coerce(value, declaration.type);
      const problem = unsafe(read) ?? misfit(read, declaration);
      if (problem && isGiven) report.given(name, problem);
      else if (problem)
        report.problem(['inputs', name], `the value it had in the run before is wrong: ${problem}`, 'key');
      else values[name] = read;
    } else if (declaration.default !== undefined && declaration.required !== true) values[name] = declaration.default;
    else if (declaration.required !== false)
      report.problem(['inputs', name], `the input ${quote(name)} is missing; give it a value`, 'key');
  }
  for (const name of Object.keys(given))
    if (!Object.hasOwn(declared, name))
      report.given(name, `the plan has no input ${quote(name)}${report.didYouMean(name, names)}`);
  return values;
}

function checkDeclaration(name: string, declaration: InputDeclaration, report: Report): void {
  const { type, enum: allowed, default: preset } = declaration;
  for (const [k, value] of (allowed ?? []).entries()) {
    const problem = mismatch(value, { type });
    if (problem) report.problem(['inputs', name, 'enum', k], problem);
  }
  const problem = preset === undefined ? undefined : mismatch(preset, declaration);
  if (problem) report.problem(['inputs', name, 'default'], problem);
}

const IS: Record<InputType, (value: Json) => boolean> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isSafeInteger(value),
  boolean: (value) => typeof value === 'boolean',
  array: (value) => Array.isArray(value),
  object: isJsonObject,
};

/** The same of a value that was given, which has no place to be looked at. */
function misfit(value: Json, { type, enum: allowed }: InputDeclaration): string | undefined {
  const shown = typeof value === 'string' ? quote(value) : describe(value);
  if (mismatch(value, { type })) return `${shown} is not ${nameOfType(type)}`;
  if (!mismatch(value, { type, enum: allowed })) return undefined;
  return `${shown} is none of ${allowed!.map((one) => JSON.stringify(one)).join(', ')}`;
}

/** Why a value in the file is not what the declaration asks for. */
function mismatch(value: Json, { type, enum: allowed }: Pick<InputDeclaration, 'type' | 'enum'>): string | undefined {
  if (!IS[type](value)) return `is ${describe(value)}; it has to be ${nameOfType(type)}`;
  if (!allowed || allowed.some((one) => canonical(one) === canonical(value))) return undefined;
  return `is ${describe(value)}; it has to be one of ${allowed.map((one) => JSON.stringify(one)).join(', ')}`;
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** A command line gives text only: it is read as what the declaration asks for; what cannot be stays text, and is refused. */
function coerce(value: Json, type: InputType): Json {
  if (typeof value !== 'string' || type === 'string') return value;
  const text = value.trim();
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : value;
  if (type === 'number' || type === 'integer') return NUMBER.test(text) ? Number(text) : value;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return value;
  }
}

/** Values from outside the file keep to the same limits as those in it. */
function unsafe(value: Json, depth = 0): string | undefined {
  if (typeof value === 'number' && !Number.isFinite(value)) return 'the value is not a finite number';
  if (value === null || typeof value !== 'object') return undefined;
  if (depth >= DEEPEST) return `the value is nested deeper than ${DEEPEST} levels`;
  for (const [key, item] of Object.entries(value)) {
    const problem = FORBIDDEN_KEYS.includes(key)
      ? `the value has the key "${key}", which is refused`
      : unsafe(item, depth + 1);
    if (problem) return problem;
  }
  return undefined;
}
