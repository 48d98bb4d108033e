import type { Colors } from 'picocolors/types.js';
import { formatDuration } from '../../plan/duration.ts';
import type { DryRun } from '../../service/dry-run.ts';
import { count, oneLine } from './text.ts';

const MOST_LAYERS = 15;
const MOST_IN_LAYER = 8;
const MOST_TOLD = 20;

/** What a plan would do, for people: what starts first and what follows, what is skipped, and what it will ask. */
export function dryRunLines(told: DryRun, colours: Colors): string[] {
  return FACTS.flatMap(([name, factOf]) =>
    atMost(factOf(told), MOST_TOLD, 'more').map(
      (fact, k) => `  ${colours.dim((k === 0 ? name : '').padEnd(12))}  ${fact}`,
    ),
  );
}

/** Each gives its lines; a fact without any is not told. */
const FACTS: [name: string, (told: DryRun) => string[]][] = [
  ['inputs', ({ inputs }) => Object.entries(inputs).map(([name, value]) => `${name} = ${shown(value, 60)}`)],
  ['starts first', (told) => (told.layers[0] ? [layer(told, told.layers[0])] : [])],
  [
    'then',
    (told) =>
      atMost(
        told.layers.slice(1).map((ids) => layer(told, ids)),
        MOST_LAYERS,
        'more',
      ),
  ],
  ['at its end', (told) => handlers(told)],
  ['skips', ({ would_skip }) => would_skip.map(({ id, reason }) => `${id}: ${oneLine(reason, 100)}`)],
  ['only if', ({ would_run }) => would_run.flatMap(({ id, when }) => (when ? [`${id}: ${oneLine(when, 100)}`] : []))],
  ['asks', ({ questions }) => questions.map(question)],
  ['takes', ({ longest }) => [longestInWords(longest)]],
  ['warning', ({ warnings }) => warnings.map((text) => oneLine(text))],
];

const layer = (told: DryRun, ids: string[]): string =>
  atMost(
    ids.map((id) => named(told, id)),
    MOST_IN_LAYER,
    'more',
  ).join(', ');

/** A map with how often its task runs. */
function named({ would_run }: DryRun, id: string): string {
  const each = would_run.find((task) => task.id === id)?.for_each;
  if (!each) return id;
  return `${id} (for ${each.items === null ? 'each item' : count(each.items, 'item')})`;
}

const handlers = ({ would_run }: DryRun): string[] =>
  would_run.flatMap(({ id, handler }) => (handler ? [id === handler ? id : `${id} (${handler})`] : []));

function question({
  task,
  kind,
  prompt,
  options,
  form,
  timeout_ms,
  on_timeout,
  per_item,
  when,
}: DryRun['questions'][number]) {
  const fields = Object.keys((form?.properties ?? {}) as object);
  const answers = form
    ? `fields ${fields.join(', ')}`
    : (options ?? []).map((option) => oneLine(option, 40)).join(', ');
  const late = timeout_ms === undefined ? '' : `; after ${formatDuration(timeout_ms)}: ${on_timeout}`;
  const often = per_item ? ', for each item' : '';
  const only = when === undefined || kind !== 'decision' ? '' : ', if it fails';
  return `${task ?? 'review'}${often}${only}: ${oneLine(prompt, 80)} (${answers}${late})`;
}

function longestInWords({ ms, unlimited }: DryRun['longest']): string {
  if (ms !== null) return `at most ${formatDuration(ms)}, while it is not held`;
  return `any time: no timeout for ${atMost(unlimited, 5, 'more').join(', ')}`;
}

const shown = (value: unknown, longest: number): string => oneLine(JSON.stringify(value), longest);

function atMost(lines: string[], most: number, what: string): string[] {
  return lines.length > most ? [...lines.slice(0, most), `… ${lines.length - most} ${what}`] : lines;
}
