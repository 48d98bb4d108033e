import { KINDS, STEP_KINDS } from '../../activities/kinds.ts';
import type { Json, JsonObject } from '../../plan/json.ts';
import { describe, quote } from '../plan-file/describe.ts';
import type { Values } from '../plan-file/inputs.ts';
import { permissionsOf } from '../plan-file/permissions.ts';
import type { Path } from '../plan-file/plain-json.ts';
import type { Report } from '../plan-file/problems.ts';
import type { ReadPlan } from '../plan-file.ts';
import { checkWords, reader } from './check-words.ts';
import { defineSteps, type Workflow } from './define.ts';
import { readEnv, readEnvFileNames, readSecrets } from './environment.ts';
import { asJson, readGiven } from './given.ts';
import { onceForEach } from './iterate.ts';
import { readSteps } from './steps.ts';
import { checkText } from './texts.ts';
import { FILE_WORDS, FILE_WORDS_REFUSED, MAP_REDUCE } from './words.ts';

/** Reads a workflow file (document 4) as the plan that it means; all that is wrong is told at once. */
export function readWorkflow(content: Json, values: Values, report: Report & { raise(): void }): ReadPlan {
  const workflow = Array.isArray(content)
    ? { ...NOTHING, steps: readSteps(content, [], report) }
    : readMap(content as JsonObject, report);
  const inputs = readGiven(values, report);
  report.raise();
  const iterates = inputs.args !== undefined || inputs.map !== undefined;
  const inner = defineSteps(workflow, iterates);
  const definition = iterates ? onceForEach(inner, inputs) : inner;
  return {
    definition,
    inputs: asJson(inputs),
    labels: {},
    permissions: permissionsOf(definition, [...KINDS, ...STEP_KINDS]),
    review: false,
    worktree: false,
  };
}

const NOTHING: Workflow = { name: 'workflow', env: {}, env_file: [], secrets: [], steps: [] };

function readMap(content: JsonObject, report: Report): Workflow {
  checkWords(content, [], FILE_WORDS, FILE_WORDS_REFUSED, report);
  const read = reader(content, [], report);
  const { mode } = content;
  if (mode === 'mapreduce')
    report.problem(['mode'], 'map-reduce files are not supported: write a plan file with a `map` task');
  else if (mode !== undefined && mode !== 'standard')
    report.problem(['mode'], `is ${describe(mode)}; the one mode that is supported is standard`);
  const name = read.text('name');
  if (name !== undefined && (name.length > 100 || /\p{Cc}/u.test(name)))
    report.problem(['name'], 'has line breaks or other control characters, or more than 100 characters');
  const description = read.text('description');
  const env = readEnv(read.map('env') ?? {}, ['env'], report);
  for (const [name, value] of Object.entries(env)) checkText(value, ['env', name], report);
  const secrets = readSecrets(read.map('secrets') ?? {}, ['secrets'], report);
  const env_file = readEnvFileNames(content, report);
  return {
    name: name ?? NOTHING.name,
    ...(description !== undefined && { description }),
    env,
    env_file,
    secrets,
    steps: readList(content, report),
  };
}

function readList(content: JsonObject, report: Report) {
  const { commands, steps } = content;
  if (commands !== undefined && steps !== undefined)
    report.problem(['steps'], 'write either `commands` or `steps`, not both', 'key');
  const word = commands === undefined ? 'steps' : 'commands';
  const list = content[word];
  const path: Path = [word];
  if (Array.isArray(list)) return readSteps(list, path, report);
  const isTold = content.mode === 'mapreduce' || MAP_REDUCE.some((one) => content[one] !== undefined);
  if (list !== undefined) report.problem(path, `is ${describe(list)}; it has to be a list of steps`);
  else if (!isTold) report.problem([], `${quote('commands')} is missing; it lists the steps`);
  return [];
}
