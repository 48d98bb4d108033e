import { join } from 'node:path';
import { z } from 'zod';
import type { ReadPosition } from '../../plan/read-position.ts';
import type { ArtifactStore } from '../artifact-store.ts';
import type { Chunk, Row } from './chunk.ts';
import { wholeLines } from './lines-file.ts';

/** Where what a node has kept is noted: its chunks, and behind them the rows of the last pages, which are in none yet. */
export const rowFiles = (planFolder: string, nodeId: string) => {
  const folder = join(planFolder, 'rows');
  const name = nodeId.replaceAll('/', '.');
  return {
    folder,
    chunks: join(folder, `${name}.jsonl`),
    tail: join(folder, `${name}.tail.jsonl`),
    sorting: join(folder, `${name}.sorting`),
  };
};

const position = z.object({ cursor: z.string().nullable(), skip: z.int(), taken: z.array(z.int()) });
const chunk = z.object({
  $stored: z.object({ sha256: z.string(), bytes: z.int(), json: z.literal(true) }),
  rows: z.int(),
});
/** The first line: whose rows these are. What another request left is not gone on with. `reads`: each page was asked of a source. */
const head = z.object({ of: z.string(), reads: z.literal(true).optional() });
/** `page`: the last one whose rows are in the chunks up to here; `at`: where reading goes on behind it. */
const chunksLine = z.object({
  page: z.int(),
  chunks: z.array(chunk),
  at: position.optional(),
  ended: z.literal(true).optional(),
  next: position.optional(),
});
const tailLine = z.object({
  page: z.int(),
  at: position,
  ended: z.literal(true).optional(),
  next: position.optional(),
  rows: z.custom<Row[]>(Array.isArray),
});

export type HeadLine = z.infer<typeof head>;
export type ChunksLine = z.infer<typeof chunksLine>;
export type TailLine = z.infer<typeof tailLine>;

/** What a node has kept, as its files have it. */
export interface Kept {
  /** Undefined: there is nothing. */
  of: string | undefined;
  /** Each of its pages was asked of a source. */
  reads: boolean;
  chunks: Chunk[];
  /** The last page that was done with, from 1 on; 0 before the first. */
  page: number;
  at: ReadPosition | undefined;
  /** The rows of the pages behind those of the chunks. */
  tail: Row[];
  /** Whether that is all; `in tail`: all is there, and the last rows are in no chunk yet. */
  ended: boolean | 'in tail';
  next: ReadPosition | undefined;
  /** How many bytes of each file count. */
  bytes: { chunks: number; tail: number };
}

/** `store`: where its chunks have to be; what comes after one that is not there is not kept. Without, that is not looked at. */
export async function readKept(files: ReturnType<typeof rowFiles>, store?: ArtifactStore): Promise<Kept> {
  // First, for it is emptied when its rows are in a chunk: what is noted of those is the newer then, and knows.
  const tail = await wholeLines(files.tail);
  const kept: Kept = {
    ...{ of: undefined, reads: false, chunks: [], page: 0, at: undefined, tail: [], ended: false, next: undefined },
    bytes: { chunks: 0, tail: 0 },
  };
  const [first, ...lines] = await wholeLines(files.chunks);
  const known = head.safeParse(first?.value);
  if (!first || !known.success) return kept;
  kept.of = known.data.of;
  kept.reads = known.data.reads ?? false;
  kept.bytes.chunks = first.end;
  for (const { value, end } of lines) {
    const line = chunksLine.safeParse(value);
    if (!line.success || (store && !(await allThere(line.data.chunks, store)))) return kept;
    kept.chunks.push(...line.data.chunks);
    kept.page = line.data.page;
    kept.at = line.data.at;
    kept.ended = line.data.ended ?? false;
    kept.next = line.data.next;
    kept.bytes.chunks = end;
  }
  if (!kept.ended) addTail(kept, tail);
  return kept;
}

/** Lines of pages that are in a chunk already are left of a worker that died before it had emptied the file. */
function addTail(kept: Kept, lines: Awaited<ReturnType<typeof wholeLines>>): void {
  for (const { value, end } of lines) {
    const line = tailLine.safeParse(value);
    if (!line.success || line.data.page > kept.page + 1) return;
    kept.bytes.tail = end;
    if (line.data.page <= kept.page) continue;
    kept.page = line.data.page;
    kept.at = line.data.at;
    if (line.data.ended) kept.ended = 'in tail';
    kept.next = line.data.next;
    for (const row of line.data.rows) kept.tail.push(row);
  }
}

/** A machine may lose what was written shortly before it went; whoever reads a chunk looks at all of it. */
async function allThere(chunks: Chunk[], store: ArtifactStore): Promise<boolean> {
  for (const { $stored } of chunks) if ((await store.file($stored.sha256))?.bytes !== $stored.bytes) return false;
  return true;
}
