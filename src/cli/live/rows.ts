import type { ReadPlan } from '../../service/read-plan.ts';
import { coloured } from '../render/colours.ts';
import { oneLine } from '../render/text.ts';
import { type Arranged, arrange, type Placed } from './arrange.ts';
import { bar } from './bar.ts';
import { since, spanInWords } from './elapsed.ts';
import { columnsOf, fit } from './fit.ts';
import { planInWords } from './plan-words.ts';
import { type Look, layoutFor, taskRow } from './task-row.ts';
import { mapTimeLeft, timeLeft } from './time-left.ts';

/** Rows of tasks that are not at work yet: a few tell what comes. */
const NEXT_ROWS = 5;
const FAILED_ROWS = 5;
const BAR_COLUMNS = 24;

/** A plan in at most `height` rows of `look.columns` columns: what runs first, then what waits, then what comes next. */
export function planRows(view: ReadPlan, height: number, look: Look): string[] {
  const head = headRows(view, look).slice(0, Math.max(1, height));
  const arranged = arrange(view);
  const shown = choose(arranged, height - head.length);
  const layout = layoutFor(shown.rows, look.columns, columnsOf);
  const rows = shown.rows.map((row) => taskRow(row, view, layout, look));
  const rest = restRow(view, shown.left, look);
  return [...head, ...rows, ...(rest && shown.hasRest ? [rest] : [])];
}

function headRows(view: ReadPlan, { columns, colours, signs, now, from }: Look): string[] {
  const { name, state, progress, created_at, freshness } = view;
  const words = coloured(state.status, colours, planInWords(view, now));
  const rows = [fit(`${colours.bold(oneLine(name))}  ${words}`, columns)];
  if (!freshness.live) rows.push(fit(colours.yellow(oneLine(freshness.message ?? 'last known state')), columns));
  if (progress.total > 0) {
    const { done, total, what } = counted(view);
    const drawn = bar(done, total, Math.min(BAR_COLUMNS, Math.floor(columns / 3)), signs, colours);
    const left = iterating(view) ? mapTimeLeft(iterating(view)!, now) : timeLeft(view, now);
    const facts = [
      `${done}/${total} ${what}`,
      since(created_at, now, from),
      left !== undefined && `about ${spanInWords(left)} left`,
    ];
    rows.push(fit(`${drawn} ${facts.filter(Boolean).join(colours.dim(', '))}`, columns));
  }
  return rows;
}

/** Of a plan with `iterate`, while it is at it, its inputs tell more than its two tasks. */
function counted(view: ReadPlan): { done: number; total: number; what: string } {
  const { items } = iterating(view) ?? {};
  if (!items) return { ...view.progress, what: 'done' };
  return { done: items.succeeded + items.skipped, total: items.total, what: 'inputs done' };
}

const iterating = ({ tasks }: ReadPlan) => tasks.find(({ iteration, items }) => iteration && items);

interface Shown {
  rows: Placed[];
  left: Record<'running' | 'waiting' | 'failed' | 'next', number>;
  /** Whether there is room for the row that counts the others. */
  hasRest: boolean;
}

/** What fits: people's turn is never crowded out by what runs, nor all that comes next by either. */
function choose({ running, waiting, failed, next }: Arranged, room: number): Shown {
  const wanted = [
    { from: running, most: Number.POSITIVE_INFINITY, least: 3 },
    { from: waiting, most: Number.POSITIVE_INFINITY, least: 3 },
    { from: failed, most: FAILED_ROWS, least: 1 },
    { from: next, most: NEXT_ROWS, least: 1 },
  ];
  let free = Math.max(0, room - 1);
  const taken = wanted.map(({ from, least }) => {
    const rows = Math.min(from.length, least, free);
    free -= rows;
    return rows;
  });
  wanted.forEach(({ from, most }, i) => {
    const more = Math.max(0, Math.min(from.length, most) - taken[i]!);
    taken[i]! += Math.min(more, free);
    free -= Math.min(more, free);
  });
  const [a, b, c, d] = taken as [number, number, number, number];
  return {
    rows: [...running.slice(0, a), ...waiting.slice(0, b), ...failed.slice(0, c), ...next.slice(0, d)],
    left: {
      running: running.length - a,
      waiting: waiting.length - b,
      failed: failed.length - c,
      next: next.length - d,
    },
    hasRest: room > 0,
  };
}

/** How many tasks are not shown, by what they do. */
function restRow(view: ReadPlan, left: Shown['left'], { columns, colours }: Look): string {
  // A map's items always wait for their turn.
  const isTold = ({ what }: { what: string }) => what === 'next_run' || (what === 'slot' && view.children.length === 0);
  const { what, text } = view.waiting_for.find(isTold) ?? {};
  const counts = [
    left.running > 0 && `${left.running} more running`,
    left.waiting > 0 && `${left.waiting} more waiting`,
    left.failed > 0 && `${left.failed} more failed`,
    left.next > 0 && `${left.next} more to come`,
    what && text && `waits for ${oneLine(text)}`,
  ].filter(Boolean);
  return counts.length > 0 ? fit(colours.dim(`  … ${counts.join(', ')}`), columns) : '';
}
