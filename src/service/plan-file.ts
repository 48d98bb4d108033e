import { KINDS } from '../activities/kinds.ts';
import type { Budget } from '../plan/attempt.ts';
import type { PlanDefinition } from '../plan/definition.ts';
import type { Json, JsonObject } from '../plan/json.ts';
import type { AnyTaskKind } from '../plan/kind.ts';
import { type PlanFile, planFileSchema } from '../plan/schema.ts';
import { definePlan } from './plan-file/define.ts';
import { describe } from './plan-file/describe.ts';
import { MOST_TASKS, readDocument, tooManyTasks } from './plan-file/document.ts';
import { checkExpressions } from './plan-file/expressions.ts';
import { checkInputs, type Values } from './plan-file/inputs.ts';
import { checkIterate, type IterateFile, iterationOf, namesOfIteration } from './plan-file/iterate.ts';
import { iterated } from './plan-file/iterated.ts';
import { permissionsOf } from './plan-file/permissions.ts';
import { isJsonObject } from './plan-file/plain-json.ts';
import { collectProblems, type Report } from './plan-file/problems.ts';
import { checkSchema } from './plan-file/schema-problems.ts';
import { readTasks } from './plan-file/tasks.ts';
import { isWorkflowFile } from './workflow-file/is-workflow-file.ts';
import { readWorkflow } from './workflow-file/read-workflow.ts';

export interface ReadPlan {
  definition: PlanDefinition;
  /** What the plan declares: given values, read as their types, and defaults. */
  inputs: JsonObject;
  labels: Record<string, string>;
  /** Permissions, besides `plan:create`, that its kinds ask for. */
  permissions: string[];
  review: boolean;
  /** Whether it asks for a worktree. */
  worktree: boolean;
  /** What its calls of models may take. */
  budget?: Budget;
}

export interface ReadOptions {
  inputs?: JsonObject;
  /** Given for an earlier run of the plan: they stand in for what is not given now; what the file no longer has is left out. */
  kept?: JsonObject;
  kinds?: readonly AnyTaskKind[];
}

/**
 * Reads a plan file, YAML or JSON, or a workflow file (see `workflow-file`), with the inputs given for it. Throws the fault PLAN_INVALID, whose `errors` are all the
 * problems there are (or a thousand of them), in the order of the text, each with its place.
 */
export function readPlanFile(text: string, { inputs = {}, kept = {}, kinds = KINDS }: ReadOptions = {}): ReadPlan {
  const document = readDocument(text);
  const problems = collectProblems(document);
  if (document.content !== undefined && isWorkflowFile(document.content))
    return readWorkflow(document.content, { given: inputs, kept }, problems);
  const content = document.content === undefined ? undefined : topOf(document.content, problems);
  const checked = content && check(content, { given: inputs, kept }, kinds, problems);
  problems.raise();
  const { file, list, reads, over, values } = checked!;
  const once = definePlan(file!, list, reads, values);
  const iteration = file!.iterate && iterationOf(file!.iterate as IterateFile, over!, file!);
  const definition = iteration ? iterated(once, iteration, values) : once;
  return {
    definition,
    inputs: values,
    labels: file!.labels,
    permissions: permissionsOf(definition, kinds),
    review: file!.review === 'required',
    worktree: file!.worktree ?? false,
    ...(file!.budget && { budget: plainBudget(file!.budget) }),
  };
}

const plainBudget = ({ max_tokens, max_cost, on_exceeded }: NonNullable<PlanFile['budget']>): Budget => ({
  ...(max_tokens !== undefined && { max_tokens }),
  ...(max_cost !== undefined && { max_cost }),
  ...(on_exceeded === 'fail' && { on_exceeded }),
});

/** The file's top, unless nothing sensible can be said about what is below it. */
function topOf(content: Json, { problem }: Report): JsonObject | undefined {
  if (!isJsonObject(content)) {
    const rule = 'a plan file is a map of words such as plan, name and tasks';
    problem([], content === null ? 'the plan file is empty' : `${rule}, not ${describe(content)}`);
    return undefined;
  }
  const { plan, tasks, steps } = content;
  if (typeof plan === 'number' && plan !== 1) {
    problem(['plan'], `this is version ${plan} of the format; this release of Holdpoint reads version 1`);
    return undefined;
  }
  const [word, list] = tasks === undefined ? ['steps', steps] : ['tasks', tasks];
  const count = typeof list === 'object' && list !== null ? Object.keys(list).length : 0;
  if (count > MOST_TASKS) problem([word], tooManyTasks, 'key');
  return count > MOST_TASKS ? undefined : content;
}

/** Every check runs, whatever the others found: together they tell all there is to mend. */
function check(content: JsonObject, { given, kept }: Values, kinds: readonly AnyTaskKind[], report: Report) {
  const file = checkSchema(schemaOf(kinds), content, report);
  const declared = content.inputs === undefined ? {} : content.inputs;
  const inputs = isJsonObject(declared) ? declared : undefined;
  const values = checkInputs(inputs, { given, kept }, report);
  const list = readTasks(content, kinds, report);
  const names = { inputs: inputs && Object.keys(inputs), secrets: namesIn(content.secrets) };
  const reads = checkExpressions(list, names, report, namesOfIteration(content));
  const over = checkIterate(content, list, names, report);
  return { file, list, reads, over, values };
}

const namesIn = (list: Json | undefined): string[] =>
  Array.isArray(list) ? list.filter((name) => typeof name === 'string') : [];

/** Made once: making it takes longer than checking a small file. */
const schemas = new WeakMap<readonly AnyTaskKind[], ReturnType<typeof planFileSchema>>();
function schemaOf(kinds: readonly AnyTaskKind[]) {
  const schema = schemas.get(kinds) ?? planFileSchema(kinds);
  schemas.set(kinds, schema);
  return schema;
}
