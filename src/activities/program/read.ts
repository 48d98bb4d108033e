import { z } from 'zod';
import type { Json } from '../../plan/json.ts';
import { defineTaskKind } from '../../plan/kind.ts';
import type { ReadNode } from '../../program/dag.ts';
import { type Resolve, systemResolve } from '../http/guarded-agent.ts';
import type { ActivityKind } from '../kind.ts';
import type { NodeWords } from './node-words.ts';
import { openPageSource, type Times } from './page-source.ts';
import { readOne, readPages } from './read-pages.ts';
import { runNode } from './run-node.ts';

/** Reads rows of an entity, page after page; a node of a program. */
export const read = defineTaskKind<Json, ActivityKind<Json>>({
  key: 'read',
  mode: 'activity',
  version: 1,
  words: z.json(),
  secrets: 'expressions',
  plain: (words) => words,
  execute: reader(systemResolve),
});

/** Carries attempts out, with names looked up by `resolve`. */
export function reader(resolve: Resolve, times?: Times): ActivityKind<Json>['execute'] {
  return (input, context) =>
    runNode(input, context, { redone: false }, async (run) => {
      const { node, from } = input.with as unknown as NodeWords<ReadNode>;
      const pages = await openPageSource(node.source, { input, context, resolve, signal: run.signal, times });
      try {
        return 'items' in node.source
          ? await readPages(node, node.source, { ...run, pages, from })
          : await readOne(node, node.source, { ...run, pages });
      } finally {
        await pages.end();
      }
    });
}
