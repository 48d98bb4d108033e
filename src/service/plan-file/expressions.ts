import { ExpressionError, references, SCOPE_NAMES, splitTemplate } from '../../plan/expression.ts';
import type { Json } from '../../plan/json.ts';
import { taskWordsOf } from '../../plan/kind.ts';
import { quote } from './describe.ts';
import { hyphenatedNames, readsByComputedName } from './expression-text.ts';
import { ancestry } from './graph.ts';
import type { Path } from './plain-json.ts';
import type { Report } from './problems.ts';
import type { TaskEntry, TaskList } from './tasks.ts';

/** What a task's expressions read: other tasks by index, inputs by name. */
export interface Reads {
  tasks: number[];
  inputs: string[];
}

interface Names {
  list: TaskList;
  ids: string[];
  /** The declared ones; undefined when they cannot be read, and then any is taken. */
  inputs: Set<string> | undefined;
  hasAncestor: ReturnType<typeof ancestry>;
  report: Report;
}

/** Checks every expression of every task, and tells what each task reads. */
export function checkExpressions(list: TaskList, inputs: string[] | undefined, report: Report): Reads[] {
  const ids = [...list.byId.keys()];
  const hasAncestor = ancestry(list.needs, list.order);
  const names: Names = { list, ids, inputs: inputs && new Set(inputs), hasAncestor, report };
  return list.entries.map((entry, i) => readsOf(entry, i, names));
}

function readsOf(entry: TaskEntry, i: number, names: Names): Reads {
  const tasks = new Set<number>();
  const inputs = new Set<string>();
  for (const { path, text } of expressionsOf(entry, names.report)) {
    const read = attempt(() => references(text), path, { within: text }, names.report);
    if (!read) continue;
    for (const message of faultsOf(text, read, i, names)) names.report.problem(path, message, { within: text });
    for (const name of read.inputs) inputs.add(name);
    for (const name of read.tasks) tasks.add(names.list.byId.get(name) ?? i);
  }
  return { tasks: [...tasks], inputs: [...inputs] };
}

/** The condition of a task as an expression: `if: ${{ … }}` is taken for what stands inside. */
export function conditionOf(given: string | boolean | undefined): string | undefined {
  if (typeof given !== 'string') return given?.toString();
  return /^\s*\$\{\{(.*)\}\}\s*$/s.exec(given)?.[1]?.trim() ?? given.trim();
}

type Found = { path: Path; text: string };

function* expressionsOf({ path, words, kind }: TaskEntry, report: Report): Iterable<Found> {
  if (typeof words?.if === 'string') yield { path: [...path, 'if'], text: conditionOf(words.if)! };
  if (!words || !kind) return;
  const texts = [kind.key, ...taskWordsOf(kind)].flatMap((word) => [...textsIn(words[word] ?? null, [...path, word])]);
  for (const { path: at, text } of texts)
    for (const part of attempt(() => splitTemplate(text), at, 'value', report) ?? [])
      if ('expression' in part) yield { path: at, text: part.expression };
}

function* textsIn(value: Json, path: Path): Iterable<Found> {
  if (typeof value === 'string') yield { path, text: value };
  else if (Array.isArray(value)) for (const [k, item] of value.entries()) yield* textsIn(item, [...path, k]);
  else if (value !== null && typeof value === 'object')
    for (const [key, item] of Object.entries(value)) yield* textsIn(item, [...path, key]);
}

function attempt<T>(work: () => T, path: Path, at: 'value' | { within: string }, report: Report): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const nested = path.at(-1) === 'if' && error.message.includes('${{');
    report.problem(path, nested ? '`if` is an expression already; leave out ${{ and }}' : error.message, at);
    return undefined;
  }
}

function faultsOf(text: string, read: ReturnType<typeof references>, i: number, names: Names): string[] {
  const { inputs, list, report } = names;
  const known = (scope: string, name: string) => (scope === 'tasks' ? list.byId.has(name) : inputs?.has(name));
  const hyphenated = hyphenatedNames(text).filter(({ scope, name }) => known(scope, name));
  const pieces = new Set(hyphenated.flatMap(({ name }) => name.split('-')));
  return [
    ...hyphenated.map(({ scope, name }) => `\`${scope}.${name}\` is read as a subtraction; write ${scope}["${name}"]`),
    ...readsByComputedName(text).map(
      (name) => `\`${name}\` has to be followed by a name that stands there: ${name}.NAME`,
    ),
    ...read.inputs
      .filter((name) => inputs && !inputs.has(name) && !pieces.has(name))
      .map((name) => `there is no input ${quote(name)}${report.didYouMean(name, [...inputs!])}`),
    ...read.tasks.filter((name) => !pieces.has(name)).flatMap((name) => taskFault(name, i, names) ?? []),
    ...read.unknown.filter((name) => !pieces.has(name)).map((name) => unknownName(name, names)),
  ];
}

function taskFault(name: string, i: number, { list, ids, hasAncestor, report }: Names): string | undefined {
  const task = list.byId.get(name);
  if (task === undefined) return `there is no task ${quote(name)}${report.didYouMean(name, ids)}`;
  if (task === i) return 'a task cannot read what itself leaves';
  if (!list.entries[i]!.complete || hasAncestor(i, task) !== false) return undefined;
  if (list.chain) return `step ${quote(name)} comes later; a step reads those before it`;
  return `task ${quote(name)} may not have ended by then; add it to \`needs\``;
}

function unknownName(name: string, { list, inputs, report }: Names): string {
  const scope = inputs?.has(name) ? 'inputs' : list.byId.has(name) ? 'tasks' : undefined;
  const meant = scope ? `; did you mean ${scope}.${name}?` : report.didYouMean(name, SCOPE_NAMES);
  return `unknown name ${quote(name)}; expressions read ${SCOPE_NAMES.join(', ')}${meant}`;
}
