import { z } from 'zod';
import type { Json } from '../../plan/json.ts';
import { defineTaskKind } from '../../plan/kind.ts';
import type { RowsNode } from '../../program/dag.ts';
import { type ActivityKind, TaskFailure } from '../kind.ts';
import { rowsIn } from './file-row-store.ts';
import type { NodeWords } from './node-words.ts';
import { piped } from './piped.ts';
import { rowFiles } from './row-files.ts';
import { runNode } from './run-node.ts';
import { chunksOf } from './upstream.ts';

/** Does something to the rows of another node; a node of a program. */
export const rows = defineTaskKind<Json, ActivityKind<Json>>({
  key: 'rows',
  mode: 'activity',
  version: 1,
  words: z.json(),
  plain: (words) => words,
  execute: (input, context) =>
    runNode(input, context, { redone: true }, async ({ journal, keep, signal }) => {
      const { node } = input.with as unknown as NodeWords<RowsNode>;
      const from = input.scope.tasks[node.from];
      if (!from) throw new TaskFailure(`${node.id} reads ${node.from}, which has left nothing`, { final: 'invalid' });
      const source = rowsIn(await chunksOf(from.outputs, context.store), context.store);
      const sorting = rowFiles(context.planFolder, node.id).sorting;
      for await (const batch of piped(node.ops, source, (n) => `${sorting}.${n}`)) {
        signal.throwIfAborted();
        await keep(batch);
      }
      return await journal.end([]);
    }),
});
