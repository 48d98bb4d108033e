import { z } from 'zod';
import type { Json } from '../plan/json.ts';
import { defineTaskKind, type TaskKind } from '../plan/kind.ts';
import { ASKED, checkTimeout, optionList, plainQuestion } from './question-words.ts';

/** Ten minutes, then the first option: what document 3's checkpoints do. */
const TIMEOUT = '10m';

const checkpoint = z.strictObject({ ...ASKED, options: optionList }).superRefine(checkTimeout);
type Words = z.infer<typeof checkpoint>;

/**
 * Lets somebody steer where work forks, and goes on by itself: when nobody chooses in time, the first option is taken, and the
 * output `timed_out` is true.
 */
export const checkpointKind = defineTaskKind<Words, TaskKind<Words>>({
  key: 'checkpoint',
  mode: 'question',
  version: 1,
  words: checkpoint.describe('Asks, and takes the first option when nobody chooses in time'),
  plain: ({ timeout = TIMEOUT, on_timeout, ...words }) =>
    plainQuestion({ ...words, timeout, on_timeout: on_timeout ?? words.options[0]! }) as unknown as Json,
});
