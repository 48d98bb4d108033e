import { z } from 'zod';
import type { Json } from '../../plan/json.ts';
import { defineTaskKind } from '../../plan/kind.ts';
import { type ActivityKind, TaskFailure } from '../kind.ts';

/** Does something to the rows of another node; a node of a program. */
export const rows = defineTaskKind<Json, ActivityKind<Json>>({
  key: 'rows',
  mode: 'activity',
  version: 1,
  words: z.json(),

  plain: (words) => words,
  execute: async () => {
    throw new TaskFailure('not yet');
  },
});
