import { ExpressionError, functionNames, references, SCOPE_NAMES, splitTemplate } from '../../plan/expression.ts';
import type { Json, JsonObject } from '../../plan/json.ts';
import { taskWordsOf } from '../../plan/kind.ts';
import { quote } from './describe.ts';
import { endingNames, hyphenatedNames, readsByComputedName } from './expression-text.ts';
import { ancestry } from './graph.ts';
import { isJsonObject, type Path } from './plain-json.ts';
import type { Report } from './problems.ts';
import type { TaskEntry, TaskList } from './tasks.ts';

/** What a task's expressions read: other tasks by index, inputs by name. */
export interface Reads {
  tasks: number[];
  inputs: string[];
  secrets: string[];
  /** Of a map: what its task reads. */
  item?: Reads;
  /** Of a sub-plan: what each of its tasks reads. */
  inner?: Reads[];
}

interface Names {
  list: TaskList;
  ids: string[];
  /** The declared ones; undefined when they cannot be read, and then any is taken. */
  inputs: Set<string> | undefined;
  /** What else expressions read by name: the item of a map. */
  own: readonly string[];
  /** What the plan names for all its tasks. */
  secrets: readonly string[];
  /** Why tasks cannot be read, where they cannot. */
  closed?: string;
  hasAncestor: ReturnType<typeof ancestry>;
  report: Report;
}

/** What the plan declares; undefined what cannot be read. */
export interface Given {
  inputs: string[] | undefined;
  secrets: readonly string[];
}

/**
 * Checks every expression of every task, and tells what each task reads. `iteration`: what the tasks read besides, where
 * they are done once for every input; the handlers, of which there is one, then read none of them.
 */
export function checkExpressions(list: TaskList, given: Given, report: Report, iteration?: readonly string[]): Reads[] {
  const names = namesOf(list, given, report);
  const inside = iteration ? { ...names, own: iteration } : names;
  const after = iteration ? { ...names, closed: MANY_TIMES } : names;
  return list.entries.map((entry, i) => readsOf(entry, i, entry.handler ? after : inside));
}

const MANY_TIMES = 'is done once for every input, so handlers cannot read it';

/** Checks the expressions in texts that stand outside of all tasks. */
export function readsOfTexts(value: Json, path: Path, given: Given, closed: { tasks: string }, report: Report): Reads {
  const none: TaskList = { entries: [], needs: [], byId: new Map(), order: [], chain: false };
  const names = { ...namesOf(none, given, report), closed: closed.tasks };
  return readsOfEach(templatesIn(textsIn(value, path), report), undefined, names);
}

function namesOf(list: TaskList, { inputs, secrets }: Given, report: Report): Names {
  const ids = [...list.byId.keys()];
  const hasAncestor = ancestry(list.needs, list.order);
  return { list, ids, inputs: inputs && new Set(inputs), own: [], secrets, hasAncestor, report };
}

function readsOf(entry: TaskEntry, i: number, names: Names): Reads {
  const reads = readsOfEach(expressionsOf(entry, names.report), i, names);
  const { item, inner, words, kind } = entry;
  const inside = kind ? words?.[kind.key] : undefined;
  if (inner && isJsonObject(inside)) {
    const given = isJsonObject(inside.inputs) ? Object.keys(inside.inputs) : [];
    const innerNames = namesOf(inner, { inputs: given, secrets: names.secrets }, names.report);
    const outputs = textsIn(inside.outputs ?? null, [...entry.path, kind!.key, 'outputs']);
    readsOfEach(templatesIn(outputs, names.report), undefined, innerNames);
    return { ...reads, inner: inner.entries.map((task, k) => readsOf(task, k, innerNames)) };
  }
  if (!item || !isJsonObject(inside)) return reads;
  const as = typeof inside.as === 'string' ? inside.as : 'item';
  const own = readsOf(item, i, { ...names, own: [...new Set([as, 'index', ...names.own])] });
  const both = (name: 'tasks' | 'inputs' | 'secrets') => [...new Set<never>([...reads[name], ...own[name]] as never[])];
  return { tasks: both('tasks'), inputs: both('inputs'), secrets: both('secrets'), item: own };
}

/** `i` is the task that reads; without one, it is read when all have ended. */
function readsOfEach(expressions: Iterable<Found>, i: number | undefined, names: Names): Reads {
  const tasks = new Set<number>();
  const inputs = new Set<string>();
  const secrets = new Set<string>();
  for (const found of expressions) {
    const { path, text } = found;
    const read = attempt(() => references(text), path, { within: text }, names.report);
    if (!read) continue;
    for (const message of faultsOf(found, read, i, names)) names.report.problem(path, message, { within: text });
    for (const name of read.inputs) inputs.add(name);
    for (const name of found.secrets ? read.secrets : []) secrets.add(name);
    for (const name of read.tasks) {
      const task = names.list.byId.get(name);
      if (task !== undefined) tasks.add(task);
    }
  }
  return { tasks: [...tasks], inputs: [...inputs], secrets: [...secrets] };
}

/** The condition of a task as an expression: `if: ${{ … }}` is taken for what stands inside. */
export function conditionOf(given: string | boolean | undefined): string | undefined {
  if (typeof given !== 'string') return given?.toString();
  return /^\s*\$\{\{(.*)\}\}\s*$/s.exec(given)?.[1]?.trim() ?? given.trim();
}

interface Found {
  path: Path;
  text: string;
  /** What the task itself names as secrets, where expressions read them. */
  secrets?: readonly string[];
}

function* expressionsOf({ path, words, kind }: TaskEntry, report: Report): Iterable<Found> {
  if (typeof words?.if === 'string') yield { path: [...path, 'if'], text: conditionOf(words.if)! };
  if (!words || !kind) return;
  const inside = words[kind.key]!;
  const at = [...path, kind.key];
  for (const word of taskWordsOf(kind)) yield* templatesIn(textsIn(words[word] ?? null, [...path, word]), report);
  if (kind.mode === 'map') yield* isJsonObject(inside) ? listOf(inside, at, report) : [];
  else if (kind.mode !== 'plan')
    for (const found of templatesIn(textsIn(inside, at), report))
      yield kind.secrets === 'expressions' ? { ...found, secrets: namesIn(words.secrets) } : found;
  else if (isJsonObject(inside)) yield* templatesIn(textsIn(inside.inputs ?? null, [...at, 'inputs']), report);
}

/** A map's list: an expression as a whole, or a list with expressions in it. */
function* listOf({ in: list }: JsonObject, at: Path, report: Report): Iterable<Found> {
  if (typeof list === 'string') yield { path: [...at, 'in'], text: conditionOf(list)! };
  else yield* templatesIn(textsIn(list ?? null, [...at, 'in']), report);
}

function* templatesIn(texts: Iterable<Found>, report: Report): Iterable<Found> {
  for (const { path, text } of texts)
    for (const part of attempt(() => splitTemplate(text), path, 'value', report) ?? [])
      if ('expression' in part) yield { path, text: part.expression };
}

const namesIn = (list: Json | undefined): string[] =>
  Array.isArray(list) ? list.filter((name) => typeof name === 'string') : [];

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

function faultsOf(found: Found, read: ReturnType<typeof references>, i: number | undefined, names: Names): string[] {
  const { inputs, list, report } = names;
  const { text } = found;
  const own = found.secrets ? [...names.own, 'secrets'] : names.own;

  const known = (scope: string, name: string) => (scope === 'tasks' ? list.byId.has(name) : inputs?.has(name));
  const hyphenated = hyphenatedNames(text).filter(({ scope, name }) => known(scope, name));
  const pieces = new Set(hyphenated.flatMap(({ name }) => name.split('-')));
  const ending = i !== undefined && !(list.entries[i]!.handler && own.length === 0) ? endingNames(text) : [];
  return [
    ...ending.map((name) => `\`${name}\` is known to the plan's handlers only`),
    ...hyphenated.map(({ scope, name }) => `\`${scope}.${name}\` is read as a subtraction; write ${scope}["${name}"]`),
    ...readsByComputedName(text)
      .filter((name) => name !== 'secrets' || found.secrets)
      .map((name) => `\`${name}\` has to be followed by a name that stands there: ${name}.NAME`),
    ...read.functions
      .filter((name) => !FUNCTIONS.includes(name))
      .map((name) => `there is no function ${quote(name)}${report.didYouMean(name, FUNCTIONS)}`),
    ...read.inputs
      .filter((name) => inputs && !inputs.has(name) && !pieces.has(name))
      .map((name) => `there is no input ${quote(name)}${report.didYouMean(name, [...inputs!])}`),
    ...(found.secrets ? read.secrets.flatMap((name) => secretFault(name, found.secrets!, names) ?? []) : []),
    ...read.tasks.filter((name) => !pieces.has(name)).flatMap((name) => taskFault(name, i, names) ?? []),
    ...read.unknown
      .filter((name) => !pieces.has(name) && !own.includes(name))
      .map((name) => (name === 'secrets' ? SECRETS_ELSEWHERE : unknownName(name, { ...names, own }))),
  ];
}

function taskFault(
  name: string,
  i: number | undefined,
  { list, ids, closed, hasAncestor, report }: Names,
): string | undefined {
  const task = list.byId.get(name);
  if (closed !== undefined && i === undefined) return closed;
  if (closed !== undefined && task !== undefined && !list.entries[task]!.handler)
    return `task ${quote(name)} ${closed}`;
  if (task === undefined) return `there is no task ${quote(name)}${report.didYouMean(name, ids)}`;
  if (i === undefined) return undefined;
  if (task === i) return 'a task cannot read what itself leaves';
  // Handlers begin when all of the plan's own tasks have ended.
  if (list.entries[i]!.handler && !list.entries[task]!.handler) return undefined;
  if (!list.entries[i]!.complete || hasAncestor(i, task) !== false) return undefined;
  if (list.chain) return `step ${quote(name)} comes later; a step reads those before it`;
  return `task ${quote(name)} may not have ended by then; add it to \`needs\``;
}

/** Asked for once: the evaluator makes the list anew each time. */
const FUNCTIONS = functionNames();

const SECRETS_ELSEWHERE =
  'expressions read secrets in the words of `http` only; a script has those that its task names in `secrets` as variables: $NAME';

function secretFault(name: string, own: readonly string[], { secrets, report }: Names): string | undefined {
  const named = [...own, ...secrets];
  if (named.includes(name)) return undefined;
  return `${quote(name)} is not among the \`secrets\` of the task or of the plan${report.didYouMean(name, named) || '; name it there'}`;
}

function unknownName(name: string, { list, inputs, own, report }: Names): string {
  const known = [...SCOPE_NAMES, ...own];
  const scope = inputs?.has(name) ? 'inputs' : list.byId.has(name) ? 'tasks' : undefined;
  const meant = scope ? `; did you mean ${scope}.${name}?` : report.didYouMean(name, known);
  return `unknown name ${quote(name)}; expressions read ${known.join(', ')}${meant}`;
}
