import type { PlanDefinition } from './definition.ts';
import type { PlanEvent } from './events.ts';
import type { Json, JsonObject } from './json.ts';
import { nameOf, type Plan } from './plan.ts';

/** What an iteration works on, and its place, among the inputs of its plan: no plan file can declare such names. */
export const ITEM = '$item';
export const INDEX = '$index';

/** What the expressions of an iteration read besides; nothing where there is none. */
export const iterationScope = ({ as }: PlanDefinition, inputs: JsonObject): JsonObject =>
  as === undefined ? {} : { [as]: inputs[ITEM] ?? null, index: inputs[INDEX] ?? null };

/** The inputs that everything in an iteration has to be given, whatever else it reads. */
export const iterationInputs = ({ as }: PlanDefinition): readonly string[] => (as === undefined ? [] : [ITEM, INDEX]);

/** More steps than this are not told one by one: each is a signal to the batch, and one to the plan. */
export const MOST_STEPS_TOLD = 50;

/** Whether a plan tells its parent of each step that begins: it is an iteration, of more than one step and not of many. */
export const tellsSteps = ({ as, tasks }: PlanDefinition): boolean =>
  as !== undefined && tasks.length > 1 && tasks.length <= MOST_STEPS_TOLD;

/** Which of how many inputs a task of a plan's iterations is for; undefined where it is for none. */
export function inputOf(
  { items }: Pick<Plan, 'items'>,
  i: number,
): { input: number; of: number; name: string } | undefined {
  if (items?.total === undefined || i < items.first) return undefined;
  const k = i - items.first;
  return { input: items.from + k + 1, of: items.total, name: nameOfInput(items.values[k]!) };
}

/** What the story of a plan says of the begin of an iteration, or of a step in one: which it is, of how many. */
export type IterationStart = { input: number; of: number; name: string } | { step: number; steps: number };

/** What the story tells when a task begins. */
export function started(plan: Plan, i: number): Pick<PlanEvent, 'task' | 'attempt' | 'details'> {
  const details = iterationStart(plan, i);
  return { task: nameOf(plan, i), attempt: plan.state.tasks[i]!.attempts, ...(details && { details }) };
}

/** Undefined for all other tasks: what happens inside of what they do is not told. */
function iterationStart(plan: Pick<Plan, 'items' | 'definition'>, i: number): IterationStart | undefined {
  if (plan.items) return inputOf(plan, i);
  const { tasks } = plan.definition;
  return tellsSteps(plan.definition) ? { step: i + 1, steps: tasks.length } : undefined;
}

export const isIterationStart = (details: Json | undefined): details is IterationStart =>
  typeof details === 'object' && details !== null && ('input' in details || 'step' in details);

const LONGEST_NAME = 80;
const NAMING = ['name', 'id', 'path', 'title'];

/** What people call an input: itself, what of it is its name, or the beginning of its JSON. In one line. */
export function nameOfInput(value: Json): string {
  const text = cut(textOf(value).replace(/\s+/g, ' ').trim());
  return text === '' ? '""' : text;
}

function textOf(value: Json): string {
  if (typeof value === 'string') return value;
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return JSON.stringify(value);
  // Of a large one the workflow has only what its reference tells people.
  const { $stored } = value;
  if (typeof $stored === 'object' && $stored !== null && !Array.isArray($stored))
    return typeof $stored.head === 'string' ? $stored.head : `${Number($stored.bytes)} bytes`;
  for (const word of NAMING) {
    const named = value[word];
    if ((typeof named === 'string' && named.trim() !== '') || typeof named === 'number') return String(named);
  }
  return JSON.stringify(value);
}

const cut = (text: string): string => {
  const characters = Array.from(text.slice(0, 2 * LONGEST_NAME));
  return characters.length > LONGEST_NAME ? `${characters.slice(0, LONGEST_NAME - 1).join('')}…` : characters.join('');
};
