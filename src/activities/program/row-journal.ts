import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import type { AttemptInput } from '../../contract/payloads.ts';
import { canonical } from '../../plan/fingerprint.ts';
import type { ReadPosition } from '../../plan/read-position.ts';
import type { ArtifactStore } from '../artifact-store.ts';
import type { Chunk, Row, RowsResult } from './chunk.ts';
import { openBehind } from './lines-file.ts';
import { type ChunksLine, type HeadLine, readKept, rowFiles, type TailLine } from './row-files.ts';

/**
 * What a node has kept, written as it comes. A page is in the plan's folder before the next one is asked for, so that nothing is read
 * twice when the worker dies; they are put together into chunks, and what is noted of those is on the disk before reading goes on.
 */
export interface RowJournal {
  /** Rows kept so far, by this dispatch and those before it. */
  count: number;
  /** Pages done with. */
  pages: number;
  /** Where reading goes on; undefined: at its beginning. */
  at: ReadPosition | undefined;
  /** What there is when all was done already. */
  result: RowsResult | undefined;
  /** A page is done with; these of its rows are kept. */
  keep(rows: Row[], at?: ReadPosition): Promise<void>;
  /** All is done with; these are the rows of the last page. `next`: where the next one begins that is asked for by itself. */
  end(rows: Row[], next?: ReadPosition): Promise<RowsResult>;
  /** Puts what is kept into a chunk, whatever became of the rest. */
  close(): Promise<void>;
}

/** A chunk is made when there are so many bytes, or the last one is so old. */
const CHUNK_BYTES = 256 * 1_024;
const CHUNK_MS = 2_000;
const NOWHERE: ReadPosition = { cursor: null, skip: 0, taken: [] };

/** An attempt that was given up may not have ended when the next one begins; both are in this process. */
const open = new Map<string, Promise<unknown>>();

/** `redone`: of a node that begins anew when it was interrupted, for its rows come from no source. */
export async function openRowJournal(
  planFolder: string,
  input: Pick<AttemptInput, 'idempotency_key' | 'with'>,
  nodeId: string,
  store: ArtifactStore,
  { redone = false }: { redone?: boolean } = {},
): Promise<RowJournal> {
  const files = rowFiles(planFolder, nodeId);
  const before = open.get(files.chunks);
  let closed!: () => void;
  const mine = new Promise<void>((resolve) => {
    closed = resolve;
  });
  open.set(files.chunks, mine);
  const done = () => {
    if (open.get(files.chunks) === mine) open.delete(files.chunks);
    closed();
  };
  await before;
  try {
    return await openFiles(files, ownerOf(input), store, redone, done);
  } catch (error) {
    done();
    throw error;
  }
}

/** The same for every attempt of a task; another when it is done anew. */
const ownerOf = ({ idempotency_key, with: words }: Pick<AttemptInput, 'idempotency_key' | 'with'>): string =>
  createHash('sha256')
    .update(`${idempotency_key}\n${canonical(words)}`)
    .digest('hex')
    .slice(0, 32);

async function openFiles(
  files: ReturnType<typeof rowFiles>,
  owner: string,
  store: ArtifactStore,
  redone: boolean,
  done: () => void,
): Promise<RowJournal> {
  await mkdir(files.folder, { recursive: true });
  const kept = await readKept(files, store);
  const goesOn = kept.of === owner && (kept.ended !== false || !redone);
  const noted = await openBehind(files.chunks, goesOn ? kept.bytes.chunks : 0);
  const tail = await openBehind(files.tail, goesOn ? kept.bytes.tail : 0);
  const chunks: Chunk[] = goesOn ? kept.chunks : [];
  const count = chunks.reduce((sum, { rows }) => sum + rows, 0);
  /** Rows that are in no chunk yet, as JSON; and how many bytes of the tail stand for them. */
  let waiting: string[] = [];
  let waitingBytes = 0;
  let tailBytes = 0;
  let chunkedAt = Date.now();

  const note = (line: ChunksLine | HeadLine) => noted.appendFile(`${JSON.stringify(line)}\n`);
  const tellTail = async (rows: string[], more: Omit<TailLine, 'page' | 'rows'>) => {
    const { page, ...rest } = { page: journal.pages, ...more };
    const line = `{"page":${page},${JSON.stringify(rest).slice(1, -1)},"rows":[${rows.join()}]}\n`;
    await tail.appendFile(line);
    tailBytes += line.length;
  };

  /** False from where rows are taken to where their chunk is noted: what goes wrong between is sorted out by the next dispatch. */
  let sound = true;
  const settle = async (more: Pick<ChunksLine, 'ended' | 'next'> = {}) => {
    sound = false;
    const made: Chunk[] = [];
    for (const rows of parts(waiting)) {
      const { sha256, bytes } = (await store.putText(`[${rows.join()}]`)).$stored;
      made.push({ $stored: { sha256, bytes, json: true }, rows: rows.length });
    }
    await note({ page: journal.pages, chunks: made, ...(journal.at && { at: journal.at }), ...more });
    if (!redone || more.ended) await noted.datasync();
    for (const chunk of made) chunks.push(chunk);
    if (tailBytes > 0) await tail.truncate(0);
    waiting = [];
    waitingBytes = 0;
    tailBytes = 0;
    chunkedAt = Date.now();
    sound = true;
  };

  const add = (rows: Row[]): string[] => {
    const texts = rows.map((row) => JSON.stringify(row));
    for (const text of texts) {
      waiting.push(text);
      waitingBytes += text.length + 1;
    }
    journal.count += rows.length;
    return texts;
  };

  const journal: RowJournal = {
    count,
    pages: 0,
    at: undefined,
    result: undefined,
    async keep(rows, at = NOWHERE) {
      const texts = add(rows);
      journal.pages += 1;
      journal.at = at;
      if (!redone) await tellTail(texts, { at });
      if (waitingBytes >= CHUNK_BYTES || tailBytes >= CHUNK_BYTES || Date.now() - chunkedAt >= CHUNK_MS) await settle();
    },
    async end(rows, next) {
      sound = false;
      const texts = add(rows);
      journal.pages += 1;
      const ended = { ended: true as const, ...(next && { next }) };
      if (!redone) await tellTail(texts, { at: journal.at ?? NOWHERE, ...ended });
      await settle(ended);
      return { count: journal.count, chunks, ...(next && { next }) };
    },
    async close() {
      try {
        if (sound && waiting.length > 0) await settle();
      } finally {
        await Promise.all([noted.close(), tail.close()]).finally(done);
      }
    },
  };
  if (!goesOn) {
    await note({ of: owner, ...(!redone && { reads: true }) });
    return journal;
  }
  journal.pages = kept.page;
  journal.at = kept.at;
  add(kept.tail);
  tailBytes = kept.bytes.tail;
  const { next } = kept;
  // Its last page was there, and its last chunk was not.
  if (kept.ended === 'in tail') await settle({ ended: true, ...(next && { next }) });
  if (kept.ended) journal.result = { count: journal.count, chunks, ...(next && { next }) };
  return journal;
}

/** A page may be of many megabytes; whoever reads some rows loads the chunk that they are in. */
function* parts(rows: string[]): Generator<string[], void> {
  let part: string[] = [];
  let bytes = 0;
  for (const row of rows) {
    part.push(row);
    bytes += row.length + 1;
    if (bytes < CHUNK_BYTES) continue;
    yield part;
    part = [];
    bytes = 0;
  }
  if (part.length > 0) yield part;
}
