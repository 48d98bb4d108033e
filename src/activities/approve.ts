import { z } from 'zod';
import type { Json } from '../plan/json.ts';
import { defineTaskKind, type TaskKind } from '../plan/kind.ts';
import { REJECT } from '../plan/questions.ts';
import { ASKED, checkTimeout, optionList, plainQuestion } from './question-words.ts';

const question = z
  .strictObject({ ...ASKED, options: optionList.default(['approve', REJECT]) })
  .superRefine(checkTimeout);
type Words = string | z.infer<typeof question>;

/** Asks somebody to choose. The choice `reject` fails the task; any other succeeds and is its output `choice`. */
export const approve = defineTaskKind<Words, TaskKind<Words>>({
  key: 'approve',
  mode: 'question',
  version: 1,
  words: z.union([z.string().min(1), question]).describe('Asks somebody to choose; a text is its prompt'),
  plain: (words) =>
    plainQuestion(typeof words === 'string' ? question.parse({ prompt: words }) : words) as unknown as Json,
});
