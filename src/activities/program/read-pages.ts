import type { Json } from '../../plan/json.ts';
import type { ReadPosition } from '../../plan/read-position.ts';
import type { GetSource, ListSource, ReadNode } from '../../program/dag.ts';
import { TaskFailure } from '../kind.ts';
import { type BodyValue, bodyValue } from './body-value.ts';
import type { Row, RowsResult } from './chunk.ts';
import type { PageSource } from './page-source.ts';
import type { NodeRun } from './run-node.ts';
import { type Streaming, streaming } from './streaming.ts';

interface Reading extends NodeRun {
  pages: PageSource;
  /** Where it begins; absent for the first page. */
  from?: ReadPosition | undefined;
}

/** A source that says there is more and never gives any would be asked for ever. */
const MOST_EMPTY_PAGES = 100;

const START: ReadPosition = { cursor: null, skip: 0, taken: [] };

/** Asks for page after page until there is none, or enough is kept; goes on behind what an earlier dispatch has kept. */
export async function readPages(node: ReadNode, source: ListSource, reading: Reading): Promise<RowsResult> {
  const { journal, pages, keep, signal } = reading;
  const itemsOf = bodyValue(source.items, `items of ${node.entity}`);
  const nextOf = source.next === undefined ? () => null : bodyValue(source.next, `next of ${node.entity}`);
  let at = journal.at ?? reading.from ?? START;
  const ops = streaming(node.ops, at.taken);
  const isNew = newCursors(at.cursor);
  let empty = 0;
  while (!ops.full()) {
    const number = journal.pages + 1;
    const page: Page = { node, number, body: await pages.ask(at.cursor, number) };
    signal.throwIfAborted();
    const items = listOf(page, source.items, itemsOf);
    empty = items.length > 0 ? 0 : empty + 1;
    const room = (node.page_size ?? Number.POSITIVE_INFINITY) - journal.count;
    const { rows, behind } = take(page, items, at.skip, room, ops);
    if (ops.full()) return await journal.end(rows);
    const taken = ops.taken();
    // Only where there is a further row, the page that was asked for is not the last.
    if (rows.length === room && hasMore(page, items, behind, streaming(node.ops, taken)))
      return await journal.end(rows, { cursor: at.cursor, skip: behind, taken });
    const cursor = cursorOf(page, source.next, nextOf);
    if (cursor === null) return await journal.end(rows);
    if (empty === MOST_EMPTY_PAGES)
      throw failure(page, `is number ${empty} in a row that has no rows and points to a next one`);
    if (!isNew(cursor)) throw failure(page, `points to a page that was read already; \`${source.next}\` never ends`);
    at = { cursor, skip: 0, taken };
    if (rows.length === room) return await journal.end(rows, at);
    await keep(rows, at);
  }
  return await journal.end([]);
}

/** The one row that a source has by an id; none, where it answers that there is nothing. */
export async function readOne(node: ReadNode, source: GetSource, { journal, pages }: NodeRun & { pages: PageSource }) {
  const { entity, ops } = node;
  const page: Page = { node, number: 1, body: await pages.ask(null, 1) };
  const item = source.item ?? 'body';
  const found = bodyValue(item, `item of ${entity}`)(page.body);
  if (found === undefined) throw failure(page, `has no row at \`${item}\`${insteadOf(page.body)}`);
  const { rows } = take(page, found === null ? [] : [found], 0, 1, streaming(ops));
  return await journal.end(rows);
}

/** An answer; and what it is of, for messages. */
interface Page {
  node: ReadNode;
  /** From 1 on. */
  number: number;
  body: Json;
}

/** What `ops` leave of the items from one on, until there is no more room; and the first item that was not looked at. */
function take(page: Page, items: Json[], from: number, room: number, ops: Streaming): { rows: Row[]; behind: number } {
  const rows: Row[] = [];
  let i = from;
  for (; i < items.length && rows.length < room && !ops.full(); i++) {
    const row = ops.push(rowAt(page, items, i));
    if (row) rows.push(row);
  }
  return { rows, behind: i };
}

const hasMore = (page: Page, items: Json[], from: number, ops: Streaming): boolean =>
  take(page, items, from, 1, ops).rows.length > 0;

function rowAt(page: Page, items: Json[], i: number): Row {
  const item = items[i]!;
  if (typeof item === 'object' && item !== null && !Array.isArray(item)) return declared(item, page.node.fields);
  const shown = JSON.stringify(item).slice(0, 60);
  throw failure(page, `has ${shown} for row ${i + 1}, and rows have to be objects`);
}

/** Of what a source says of a row, what its catalog declares; the order is the source's. */
const declared = (item: Row, fields: readonly string[] | undefined): Row =>
  fields ? Object.fromEntries(Object.entries(item).filter(([name]) => fields.includes(name))) : item;

/**
 * Null is an empty list, as some languages write it. Where the list is left out altogether, the answer may be something else, such
 * as an error with status 200; but one that says nothing at all, and a later page, just have no rows.
 */
function listOf(page: Page, items: string, itemsOf: BodyValue): Json[] {
  const found = itemsOf(page.body);
  if (Array.isArray(found)) return found;
  const empty = found === null || (found === undefined && (page.number > 1 || isEmpty(page.body)));
  if (empty) return [];
  throw failure(page, `has no list at \`${items}\`${insteadOf(page.body)}`);
}

const isEmpty = (body: Json): boolean =>
  typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0;

function insteadOf(body: Json): string {
  if (typeof body !== 'object' || body === null) return `; it is ${JSON.stringify(body).slice(0, 60)}`;
  if (Array.isArray(body)) return '; it is a list itself, which is `body`';
  return `; it has ${Object.keys(body).slice(0, 10).join(', ').slice(0, 120) || 'nothing in it'}`;
}

/** Where the next page is; null after the last. */
function cursorOf(page: Page, next: string | undefined, nextOf: BodyValue): string | null {
  const found = nextOf(page.body);
  if (found === undefined || found === null || found === false || found === '') return null;
  if (typeof found === 'string' || typeof found === 'number') return String(found);
  throw failure(page, `has neither text nor a number at \`${next}\``);
}

/** So many are remembered: what goes round in longer circles is found by its second round, or its third. */
const REMEMBERED = 100_000;

/** Tells whether a cursor has not been seen. */
function newCursors(first: string | null): (cursor: string) => boolean {
  const seen = new Set(first === null ? [] : [first]);
  return (cursor) => {
    if (seen.has(cursor)) return false;
    if (seen.size >= REMEMBERED) seen.clear();
    seen.add(cursor);
    return true;
  };
}

const failure = ({ node, number }: Page, what: string): TaskFailure =>
  new TaskFailure(`${node.entity}: page ${number} ${what}`, { final: 'hopeless' });
