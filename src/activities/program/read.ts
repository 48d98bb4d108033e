import { z } from 'zod';
import type { Json } from '../../plan/json.ts';
import { defineTaskKind } from '../../plan/kind.ts';
import { type ActivityKind, TaskFailure } from '../kind.ts';

/** Reads rows of an entity, page after page; a node of a program. */
export const read = defineTaskKind<Json, ActivityKind<Json>>({
  key: 'read',
  mode: 'activity',
  version: 1,
  words: z.json(),
  secrets: 'expressions',
  plain: (words) => words,
  execute: async () => {
    throw new TaskFailure('not yet');
  },
});
