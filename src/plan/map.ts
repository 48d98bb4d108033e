import type { Child } from './child.ts';
import type { MapWords } from './definition.ts';
import type { Effects } from './effects.ts';
import { type Span, spansIn, spansOutside } from './gone.ts';
import type { Json, JsonObject } from './json.ts';
import { type Plan, slotsTaken, taskAt } from './plan.ts';
import type { BatchLeft, MapState, Piece } from './state.ts';
import { fail, succeed } from './task-endings.ts';

/** Batches of one map at a time: while one draws to its end, the other keeps the slots full. */
const LANES = 2;

export function openChild(plan: Plan, child: Child, effects: Effects): void {
  plan.index.children.set(child.key, child);
  effects.children.push(child);
}

/** A map's list has been cut into pieces. */
export function beginMap(plan: Plan, i: number, pieces: Piece[]): void {
  const { at } = taskAt(plan, i);
  at.map = { total: pieces.at(-1)?.to ?? 0, pieces, batches: pieces.map(() => null) };
  plan.index.maps.add(i);
}

/** Starts batches of the maps at work, and ends those that have none left. */
export function startMaps(plan: Plan, effects: Effects, now: number): void {
  for (const i of plan.index.maps) {
    const words = taskAt(plan, i).task.with as unknown as MapWords;
    const map = taskAt(plan, i).at.map!;
    const open = openPieces(plan, i);
    const lanes = Math.min(LANES, words.max_parallel, map.pieces.length);
    for (let piece = nextPiece(map, words, open); piece !== -1; piece = nextPiece(map, words, open)) {
      if (open.size >= lanes || slotsTaken(plan) >= plan.definition.max_parallel) break;
      openBatch(plan, i, piece, effects);
      open.add(piece);
    }
    if (open.size === 0 && nextPiece(map, words, open) === -1) endMap(plan, i, effects, now);
  }
}

function openPieces({ index }: Plan, i: number): Set<number> {
  const open = new Set<number>();
  for (const { what } of index.children.values()) if (what.kind === 'batch' && what.task === i) open.add(what.piece);
  return open;
}

function nextPiece({ batches }: MapState, { fail_fast }: MapWords, open: Set<number>): number {
  if (fail_fast && batches.some((left) => left?.fatal && !left.again)) return -1;
  return batches.findIndex((left, piece) => (!left || left.again) && !open.has(piece));
}

function openBatch(plan: Plan, i: number, piece: number, effects: Effects): void {
  const { task, at } = taskAt(plan, i);
  const { from, to } = at.map!.pieces[piece]!;
  openChild(plan, { key: `${task.id}/${piece}`, what: { kind: 'batch', task: i, piece, from, to }, slots: 1 }, effects);
}

/** How many of a map's items may run at once in one of its batches. */
export function batchSlots(plan: Plan, i: number): number {
  const { max_parallel } = taskAt(plan, i).task.with as unknown as MapWords;
  const lanes = Math.min(LANES, max_parallel, taskAt(plan, i).at.map!.pieces.length);
  return Math.max(1, Math.floor(max_parallel / lanes));
}

/** A batch has ended. In a map that fails fast its siblings then start nothing more. */
export function batchEnded(plan: Plan, i: number, piece: number, left: BatchLeft): void {
  const { task, at } = taskAt(plan, i);
  at.map!.batches[piece] = left;
  // What is made again is made again once, even if somebody has the map tried again.
  if (at.gone?.items) at.gone = { ...at.gone, items: spansOutside(at.gone.items, at.map!.pieces[piece]!) };
  if (!left.fatal || !(task.with as unknown as MapWords).fail_fast) return;
  for (const child of plan.index.children.values())
    if (child.what.kind === 'batch' && child.what.task === i) child.ending ??= 'wind_down';
}

/** Outputs of a map up to this many bytes are put together in the workflow. */
const SMALL = 4_096;

function endMap(plan: Plan, i: number, effects: Effects, now: number): void {
  const { at } = taskAt(plan, i);
  plan.index.maps.delete(i);
  const { total, failed, error } = mapTotals(at.map!);
  if (at.map!.batches.some((left) => left?.fatal)) {
    const items = {
      code: 'MAP_ITEMS_FAILED',
      message: `${failed} of ${total} items failed; the first: ${error?.message}`,
    };
    const one = { code: 'ITERATION_FAILED', message: error?.message ?? 'an iteration failed' };
    fail(plan, i, (taskAt(plan, i).task.with as unknown as MapWords).iterate ? one : items, now);
    return;
  }
  const lists = at.map!.batches.map((left) => left!.items);
  if (lists.every(Array.isArray) && JSON.stringify(lists).length <= SMALL) {
    succeed(plan, i, mapOutputs(at.map!, lists.flat() as Json[]), now);
    return;
  }
  plan.index.asides.add(i);
  effects.asides.push({ task: i, work: { what: 'collect' } });
}

/** A map to be gone on with: batches that completed are kept, others do only what is missing, and what is `gone`. */
export function mapAgain(map: MapState, gone: Span[] = []): MapState {
  const isMissing = (left: BatchLeft, piece: number) => left.incomplete || spansIn(gone, map.pieces[piece]!).length > 0;
  const batches = map.batches.map((left, piece) =>
    left && isMissing(left, piece) ? { ...left, again: true as const } : left,
  );
  return { ...map, batches };
}

interface MapTotals {
  total: number;
  succeeded: number;
  failed: number;
  skipped: number;
  error: BatchLeft['error'];
}

export function mapTotals({ total, batches }: MapState): MapTotals {
  const sum = (of: 'succeeded' | 'failed' | 'skipped') => batches.reduce((all, left) => all + (left?.[of] ?? 0), 0);
  const error = batches.find((left) => left?.error)?.error;
  return { total, succeeded: sum('succeeded'), failed: sum('failed'), skipped: sum('skipped'), error };
}

/** What a map leaves: counts, and per item what it left. */
export function mapOutputs(map: MapState, results: Json): JsonObject {
  const { total, succeeded, failed, skipped } = mapTotals(map);
  return { total, succeeded, failed, skipped, results };
}
