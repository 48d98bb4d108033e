import type { ArtifactStore } from '../artifact-store.ts';
import type { Chunk, Row } from './chunk.ts';
import { halt } from './halt.ts';
import { readKept, rowFiles } from './row-files.ts';
import type { RowStore } from './row-store.ts';
import { readLines } from './step-lines.ts';

/** In files of the plan's folder and in the artifact store. */
export function fileRowStore(planFolder: (planId: string) => string, artifacts: ArtifactStore): RowStore {
  const store: RowStore = {
    lines: (planId) => readLines(planFolder(planId)),
    async standing(planId, nodeId) {
      const { chunks, tail, ended, next, page, reads } = await readKept(rowFiles(planFolder(planId), nodeId));
      const whole = ended === true;
      return {
        count: countOf(chunks) + tail.length,
        chunks,
        ended: whole,
        ...(whole && next && { next }),
        ...(reads && { calls: page }),
      };
    },
    async read(planId, chunks, offset, limit) {
      const rows: Row[] = [];
      if (limit <= 0) return rows;
      for await (const some of store.stream(planId, chunks, offset)) {
        for (const row of some.slice(0, limit - rows.length)) rows.push(row);
        if (rows.length >= limit) break;
      }
      return rows;
    },
    stream: (planId, chunks, offset = 0) => rowsIn(chunks, artifacts.ofPlan(planId), offset),
    halt: (planId) => halt(planFolder(planId)),
  };
  return store;
}

/** A chunk at a time; those before the offset are not loaded. */
export async function* rowsIn(chunks: readonly Chunk[], store: ArtifactStore, offset = 0): AsyncGenerator<Row[], void> {
  let skip = offset;
  for (const chunk of chunks) {
    if (skip >= chunk.rows) {
      skip -= chunk.rows;
      continue;
    }
    const rows = JSON.parse(await store.text(chunk)) as Row[];
    yield skip > 0 ? rows.slice(skip) : rows;
    skip = 0;
  }
}

const countOf = (chunks: readonly Chunk[]): number => chunks.reduce((sum, { rows }) => sum + rows, 0);
