import type { z } from 'zod';
import { describe, nameOfType, quote } from './describe.ts';
import type { Path } from './plain-json.ts';
import type { Report } from './problems.ts';

type Issue = z.core.$ZodIssue;
type SchemaReport = Omit<Report, 'given'>;

/**
 * Checks against a schema, reports what is wrong, and gives the parsed value when nothing is. A message that the schema
 * itself has for a fault wins over the ones made here.
 */
export function checkSchema<T>(schema: z.ZodType<T>, value: unknown, report: SchemaReport): T | undefined {
  const result = schema.safeParse(value, { error: messageOf, reportInput: true });
  if (result.success) return result.data;
  reportIssues(result.error.issues, [], report);
  return undefined;
}

/** Stand for sentences that need the path or the branches of the whole issue, and are made once it is there. */
const MISSING = '\0missing';
const UNION = '\0union';

function messageOf(issue: z.core.$ZodRawIssue): string | undefined {
  const is = `is ${describe(issue.input)}; it has to be`;
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? MISSING
        : `${is} ${nameOfType(issue.expected)}${inQuotes(issue.expected, issue.input)}`;
    case 'invalid_value':
      return `${is} ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`;
    case 'too_small':
      if (issue.minimum === 1 && issue.origin !== 'int' && issue.origin !== 'number') return 'must not be empty';
      return `${is} ${issue.minimum} or more`;
    case 'too_big':
      return issue.origin === 'string'
        ? `is longer than ${issue.maximum} characters`
        : `${is} ${issue.maximum} or less`;
    case 'unrecognized_keys':
      return Object.keys((issue.inst as z.ZodObject | undefined)?.shape ?? {}).join(' ');
    case 'invalid_union':
      return UNION;
    default:
      return undefined;
  }
}

const inQuotes = (wanted: string, input: unknown): string =>
  wanted === 'string' && ['number', 'boolean'].includes(typeof input) ? `: write "${input}", in quotes` : '';

function reportIssues(issues: readonly Issue[], base: Path, report: SchemaReport): void {
  const misspelt = new Set<string>();
  const located = issues.map((issue) => ({ issue, path: [...base, ...issue.path] as Path }));
  for (const { issue, path } of located) {
    if (issue.code !== 'unrecognized_keys') continue;
    // The message of this one is the words that are known there.
    for (const key of issue.keys) {
      const meant = unknownWord([...path, key], issue.message.split(' ').filter(Boolean), report);
      if (meant !== undefined) misspelt.add(JSON.stringify([...path, meant]));
    }
  }
  for (const { issue, path } of located) {
    if (issue.code === 'unrecognized_keys') continue;
    if (issue.code === 'invalid_union' && issue.message === UNION) reportUnion(issue, path, report);
    else if (issue.code === 'invalid_key') report.problem(path, issue.issues[0]?.message ?? issue.message, 'key');
    else if (issue.message !== MISSING) report.problem(path, issue.message);
    else if (!misspelt.has(JSON.stringify(path))) report.problem(path, `\`${path.at(-1)}\` is missing`);
  }
}

/** Words of tasks that steps do not have, and the other way round. */
const ELSEWHERE = new Map([
  ['steps.needs', 'steps run one after another; for `needs`, write `tasks`'],
  ['tasks.id', "a task's id is its key under `tasks`; remove `id`"],
]);

/** Says that a word is not known; gives the one that was probably meant. */
function unknownWord(path: Path, known: string[], report: SchemaReport): string | undefined {
  const word = String(path.at(-1));
  const elsewhere = path.length >= 3 ? ELSEWHERE.get(`${path.at(-3)}.${word}`) : undefined;
  const meant = elsewhere ? undefined : report.nearest(word, known);
  const there = known.length === 0 ? '; none is known here' : `; known here: ${known.join(', ')}`;
  const hint = meant === undefined ? there : `; did you mean "${meant}"?`;
  report.problem(path, elsewhere ?? `unknown word ${quote(word)}${hint}`, 'key');
  return meant;
}

/** Of several forms, the one whose type was given is the one that was meant: its faults are told. */
function reportUnion(issue: z.core.$ZodIssueInvalidUnion, path: Path, report: SchemaReport): void {
  const wrongType = (one: Issue) => one.code === 'invalid_type' && one.path.length === 0;
  const meant = issue.errors.filter((branch) => !branch.some(wrongType));
  const types = issue.errors.flat().flatMap((one) => (one.code === 'invalid_type' ? [nameOfType(one.expected)] : []));
  if (meant.length === 1) reportIssues(meant[0]!, path, report);
  else report.problem(path, `is ${describe(issue.input)}; it has to be ${[...new Set(types)].join(' or ')}`);
}
