import { HANDLERS, type Handler } from '../../plan/definition.ts';
import type { Json, JsonObject } from '../../plan/json.ts';
import { type AnyTaskKind, taskWordsOf } from '../../plan/kind.ts';
import { NAME, NAME_RULE, TASK_WORDS } from '../../plan/schema.ts';
import { quote } from './describe.ts';
import { groups, type Needs, shortestCycle } from './graph.ts';
import { isJsonObject, type Path } from './plain-json.ts';
import type { Report } from './problems.ts';

/** A task of the file, as far as it can be read; its words are checked by the schema elsewhere. */
export interface TaskEntry {
  id: string;
  path: Path;
  /** Undefined when it is no map. */
  words: JsonObject | undefined;
  kind: AnyTaskKind | undefined;
  needs: number[];
  /** Whether all that it says it needs is there. */
  complete: boolean;
  /** Set for the tasks that run when the plan's own have ended. */
  handler?: Handler;
  /** Of a map: what it does for every item. */
  item?: TaskEntry;
  /** Of a sub-plan: its tasks. */
  inner?: TaskList;
}

export interface TaskList {
  entries: TaskEntry[];
  needs: Needs;
  byId: Map<string, number>;
  /** Groups of tasks that need each other, each after what it needs. */
  order: number[][];
  /** Whether they are steps, each of which needs the one before. */
  chain: boolean;
}

/** Reads `tasks` or `steps`, and handlers; reports wrong ids, kinds and needs. Faults in one task hide none in another. */
export function readTasks(
  content: JsonObject,
  kinds: readonly AnyTaskKind[],
  report: Report,
  path: Path = [],
): TaskList {
  const { tasks, steps } = content;
  if (tasks !== undefined && steps !== undefined)
    report.problem([...path, 'steps'], 'write either `tasks` or `steps`, not both', 'key');
  if (tasks === undefined && steps === undefined)
    report.problem([...path, 'tasks'], '`tasks` is missing; it says what to do');
  const chain = tasks === undefined;
  const main = chain ? stepEntries(steps, [...path, 'steps'], report) : taskEntries(tasks, [...path, 'tasks'], report);
  const entries = path.length > 0 ? main : [...main, ...handlerEntries(content, main, report)];
  const byId = new Map(entries.map(({ id }, i) => [id, i]));
  const ids = [...byId.keys()];
  for (const entry of entries) {
    if (!entry.words) continue;
    entry.kind = kindOf(entry.words, entry.path, kinds, report);
    readInside(entry, kinds, report);
    if (!chain && !entry.handler) findNeeds(entry, byId, ids, report);
  }
  const needs = entries.map((entry) => entry.needs);
  const order = groups(needs);
  for (const group of order) if (group.length > 1) reportCycle(shortestCycle(group, needs), entries, report);
  return { entries, needs, byId, order, chain };
}

const entry = (id: string, path: Path, words: Json, needs: number[] = []): TaskEntry => ({
  id,
  path,
  words: isJsonObject(words) ? words : undefined,
  kind: undefined,
  needs,
  complete: true,
});

function taskEntries(tasks: Json | undefined, at: Path, report: Report): TaskEntry[] {
  if (!isJsonObject(tasks)) return [];
  const list = Object.entries(tasks).map(([id, words]) => entry(id, [...at, id], words));
  if (list.length === 0) report.problem(at, 'there has to be at least one task', 'key');
  for (const { id, path } of list)
    if (!NAME.test(id)) report.problem(path, `${quote(id)} cannot be a task's id; ids have ${NAME_RULE}`, 'key');
  return list;
}

function stepEntries(steps: Json | undefined, at: Path, report: Report): TaskEntry[] {
  if (!Array.isArray(steps)) return [];
  if (steps.length === 0) report.problem(at, 'there has to be at least one step', 'key');
  const taken = new Set<string>();
  return steps.map((words, i) => {
    const id = idOf(words) ?? `step-${i + 1}`;
    if (taken.has(id))
      report.problem([...at, i, 'id'], `the id ${quote(id)} is taken by an earlier step; give this one its own`);
    taken.add(id);
    return entry(id, [...at, i], words, i > 0 ? [i - 1] : []);
  });
}

function idOf(words: Json): string | undefined {
  const given = isJsonObject(words) ? words.id : undefined;
  return typeof given === 'string' ? given : undefined;
}

/** A handler is one task, or a list of steps; without an id of its own it is called what it is. */
function handlerEntries(content: JsonObject, main: TaskEntry[], report: Report): TaskEntry[] {
  const taken = new Set(main.map(({ id }) => id));
  const entries: TaskEntry[] = [];
  for (const handler of HANDLERS) {
    const given = content[handler];
    if (given === undefined) continue;
    const list = Array.isArray(given) ? given : [given];
    for (const [k, words] of list.entries()) {
      const id = idOf(words) ?? (k === 0 ? handler : `${handler}-${k + 1}`);
      const path = Array.isArray(given) ? [handler, k] : [handler];
      if (taken.has(id)) report.problem(path, `the id ${quote(id)} is taken by another task; give this one its own`);
      taken.add(id);
      const needs = k > 0 ? [main.length + entries.length - 1] : [];
      entries.push({ ...entry(id, path, words, needs), handler });
    }
  }
  return entries;
}

/** What stands inside a map or a sub-plan. */
function readInside(entry: TaskEntry, kinds: readonly AnyTaskKind[], report: Report): void {
  const { kind, words, path, id } = entry;
  const inside = kind && words![kind.key];
  if (!kind || !isJsonObject(inside)) return;
  if (kind.mode === 'plan') entry.inner = readTasks(inside, kinds, report, [...path, kind.key]);
  if (kind.mode !== 'map' || !isJsonObject(inside.task)) return;
  const at = [...path, kind.key, 'task'];
  const item: TaskEntry = { id, path: at, words: inside.task, kind: undefined, needs: [], complete: true };
  item.kind = kindOf(inside.task, at, kinds, report);
  if (item.kind?.mode === 'map')
    report.problem([...at, item.kind.key], 'a map inside a map has to stand in a `plan` of its own', 'key');
  else readInside(item, kinds, report);
  entry.item = item;
}

/** The one kind of a task. */
function kindOf(words: JsonObject, path: Path, kinds: readonly AnyTaskKind[], report: Report): AnyTaskKind | undefined {
  const [kind, second] = kinds.filter(({ key }) => Object.hasOwn(words, key));
  const known = kinds.map(({ key }) => key);
  if (kind && second) {
    const [first, later] = Object.keys(words).filter((word) => known.includes(word)) as [string, string];
    report.problem(
      [...path, later],
      `a task does one thing, and this one has \`${first}\` already; make it two tasks`,
      'key',
    );
    return undefined;
  }
  if (kind && kind.mode !== 'activity')
    for (const word of ['timeout', 'retry'])
      if (words[word] !== undefined) report.problem([...path, word], withoutAttempts(word, kind), 'key');
  if (kind && !kind.secrets && words.secrets !== undefined)
    report.problem([...path, 'secrets'], withoutSecrets(kind, kinds), 'key');
  for (const other of kinds)
    for (const word of kind && kind !== other ? taskWordsOf(other) : [])
      if (words[word] !== undefined)
        report.problem(
          [...path, word],
          `\`${word}\` is for \`${other.key}\`, and this is \`${kind!.key}\`; remove it`,
          'key',
        );
  // An unknown word is told by the schema, and may have been meant as the kind.
  const ofNoKind = [...TASK_WORDS, ...kinds.flatMap(taskWordsOf)];
  if (!kind && Object.keys(words).every((word) => ofNoKind.includes(word)))
    report.problem(path, `the task does nothing; it has to have one of ${known.join(', ')}`, 'key');
  return kind;
}

function withoutSecrets({ key, mode }: AnyTaskKind, kinds: readonly AnyTaskKind[]): string {
  if (mode === 'map') return "`secrets` belongs to the map's `task`";
  if (mode === 'plan') return '`secrets` belongs to the tasks of the sub-plan';
  const able = kinds.filter(({ secrets }) => secrets).map((kind) => `\`${kind.key}\``);
  return `\`secrets\` is for ${able.join(' and ')}, and this is \`${key}\`; remove it`;
}

function withoutAttempts(word: string, { key, mode }: AnyTaskKind): string {
  if (mode === 'question' && word === 'timeout')
    return `a question's timeout stands inside \`${key}\`, with on_timeout`;
  if (mode === 'map') return `\`${word}\` belongs to the map's \`task\`, of which every item has attempts of its own`;
  if (mode === 'plan' && word === 'timeout') return "a sub-plan's limit is its `deadline`, inside `plan`";
  return `\`${word}\` does nothing for \`${key}\`, which has no attempts; remove it`;
}

function findNeeds(task: TaskEntry, byId: Map<string, number>, ids: string[], report: Report): void {
  const given = task.words!.needs;
  const path = [...task.path, 'needs'];
  const found = new Set<number>();
  for (const [k, name] of (Array.isArray(given) ? given : [given]).entries()) {
    if (typeof name !== 'string') continue;
    const at = Array.isArray(given) ? [...path, k] : path;
    const need = byId.get(name);
    if (name === task.id) report.problem(at, 'a task cannot need itself');
    else if (need !== undefined) found.add(need);
    else {
      task.complete = false;
      report.problem(at, `there is no task ${quote(name)}${report.didYouMean(name, ids)}`);
    }
  }
  task.needs = [...found];
}

/** Names shown of a cycle; longer ones are told by their ends. */
const SHOWN = 12;

function reportCycle(cycle: number[], entries: TaskEntry[], report: Report): void {
  const names = cycle.map((i) => entries[i]!.id);
  const told =
    names.length <= SHOWN ? names : [...names.slice(0, 6), `… (${cycle.length - 1} tasks)`, ...names.slice(-3)];
  report.problem([...entries[cycle[0]!]!.path, 'needs'], `these tasks need each other: ${told.join(' → ')}`);
}
