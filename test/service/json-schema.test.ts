import { readdirSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Json, JsonObject } from '../../src/plan/json.ts';
import { readDocument } from '../../src/service/plan-file/document.ts';
import { planFileJsonSchema } from '../../src/service/plan-file/json-schema.ts';
import { readPlanFile } from '../../src/service/plan-file.ts';
import { isWorkflowFile } from '../../src/service/workflow-file/is-workflow-file.ts';
import { mutatedTree } from '../fuzz/mutations.ts';
import { realPlanFiles } from '../fuzz/plan-files.ts';

const schema = planFileJsonSchema();
const validate = new Ajv({ strict: 'log', strictTypes: false, strictRequired: false, allErrors: true }).compile(schema);
const accepts = (content: unknown): string[] =>
  validate(content) ? [] : validate.errors!.map(({ instancePath, message }) => `${instancePath} ${message}`);

/** Workflow files are no plan files, and have another form. */
const isWorkflow = (text: string): boolean => isWorkflowFile(readDocument(text).content ?? null);

const isValid = (text: string): boolean => {
  try {
    return Boolean(readPlanFile(text)) && !isWorkflow(text);
  } catch {
    return false;
  }
};

test('the file that editors read is the one that the program makes; `npm run schema` writes it', () =>
  expect(JSON.parse(readFileSync('schema/plan-1.schema.json', 'utf8'))).toEqual(schema));

test('every example names it, and fits it', () => {
  for (const name of readdirSync('examples').filter((name) => name.endsWith('.yaml'))) {
    const text = readFileSync(`examples/${name}`, 'utf8');
    if (isWorkflow(text)) continue;
    expect(text.split('\n')[0], name).toBe('# yaml-language-server: $schema=../schema/plan-1.schema.json');
    expect(accepts(parse(text)), name).toEqual([]);
  }
});

test('what the program takes, an editor takes too', () => {
  const real = realPlanFiles().filter(isValid);
  expect(real.length).toBeGreaterThan(4);
  for (const text of real) expect(accepts(parse(text))).toEqual([]);
  const files = mutatedTree(realPlanFiles()).filter(isValid);
  fc.assert(
    fc.property(files, (text) => {
      expect(accepts(readDocument(text).content)).toEqual([]);
    }),
    { numRuns: 30 },
  );
});

const task = (text: string) => `plan: 1\nname: x\ntasks: { a: ${text} }`;
test.each([
  ['nothing', ''],
  ['no map', '[]'],
  ['another version', 'plan: 2\nname: x\ntasks: { a: { run: x } }'],
  ['no name', 'plan: 1\ntasks: { a: { run: x } }'],
  ['neither tasks nor steps', 'plan: 1\nname: x'],
  ['tasks and steps', `${task('{ run: x }')}\nsteps: [{ run: x }]`],
  ['an unknown word', `${task('{ run: x }')}\nnmae: y`],
  ['a budget of nothing', `${task('{ run: x }')}\nbudget: { max_cost: 0 }`],
  ['a question to nobody', task('{ llm: { prompt: 1 } }')],
  ['a task without a kind', task('{ needs: b }')],
  ['a task of two kinds', task('{ run: x, wait: 3s }')],
  ['an unknown word of a task', task('{ rnu: x }')],
  ['a word of another kind', task('{ wait: 3s, capture: json }')],
  ['a word that is none of those allowed', task('{ run: x, on_failure: stop }')],
  ['a time that is none', task('{ run: x, timeout: soon }')],
  ['too many attempts', task('{ run: x, retry: 1001 }')],
  ['a number in the environment', task('{ run: x, env: { A: 1 } }')],
  ['a step that needs', 'plan: 1\nname: x\nsteps: [{ run: x, needs: a }]'],
  ['a handler with a condition', `${task('{ run: x }')}\nfinally: { run: x, if: "true" }`],
  ['a wrong task in a map', task('{ map: { in: "inputs.x", task: { rnu: x } } }')],
  ['a wrong task in a sub-plan', task('{ plan: { tasks: { b: {} } } }')],
  ['a wrong field of a form', task('{ input: { prompt: x, form: { f: { type: txt } } } }')],
  ['a secret that is no name', task('{ run: x, secrets: ["a-b"] }')],
])('%s is marked as wrong', (_, text) => {
  expect(accepts(parse(text))).not.toEqual([]);
  expect(isValid(text)).toBe(false);
});

test('every word of plans, tasks and kinds says what it means', () => {
  const silent: string[] = [];
  const look = (value: Json, path: string): void => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    for (const [word, about] of Object.entries((value.properties ?? {}) as Record<string, JsonObject>)) {
      const meant = typeof about.$ref === 'string' ? definition(about.$ref) : about;
      if (meant.description === undefined) silent.push(`${path}.${word}`);
      look(about, `${path}.${word}`);
    }
    for (const one of ['anyOf', 'allOf'].flatMap((key) => (value[key] ?? []) as Json[])) look(one, path);
  };
  const definition = (ref: string) => (schema.definitions as Record<string, JsonObject>)[ref.split('/').at(-1)!]!;
  look(schema, 'plan');
  // A field of a form is JSON Schema itself.
  for (const [name, about] of Object.entries(schema.definitions!)) if (name !== 'field') look(about, name);
  expect(silent).toEqual([]);
  expect(Object.keys(schema.definitions!).sort()).toEqual([
    'field',
    'handler',
    'item',
    'map',
    'step',
    'sub_plan',
    'task',
  ]);
});
