import { z } from 'zod';
import { parseDuration } from '../plan/duration.ts';
import { defineTaskKind, type TaskKind } from '../plan/kind.ts';
import { type QuestionText, REJECT } from '../plan/questions.ts';
import { someTime } from '../plan/schema.ts';

/** What `on_timeout` may say besides one of the options. */
const OUTCOMES = ['fail', 'hold'];

const question = z
  .strictObject({
    prompt: z.string().min(1),
    options: z
      .array(z.string().min(1))
      .min(1)
      .refine((options) => new Set(options).size === options.length, 'an option is given twice')
      .default(['approve', REJECT]),
    timeout: someTime.optional(),
    on_timeout: z.string().optional(),
  })
  .superRefine(({ options, timeout, on_timeout }, context) => {
    if (on_timeout === undefined) return;
    const problem = (message: string) => context.addIssue({ code: 'custom', path: ['on_timeout'], message });
    if (timeout === undefined) problem('says what happens after a timeout, and there is none; add timeout');
    if (OUTCOMES.includes(on_timeout) && options.includes(on_timeout))
      problem(`"${on_timeout}" is one of the options and also a word of its own; call the option something else`);
    else if (![...options, ...OUTCOMES].includes(on_timeout))
      problem(`"${on_timeout}" is none of ${[...options, ...OUTCOMES].join(', ')}`);
  });
type Words = string | z.infer<typeof question>;

/** Asks somebody to choose. The choice `reject` fails the task; any other succeeds and is its output `choice`. */
export const approve = defineTaskKind<Words, TaskKind<Words>>({
  key: 'approve',
  mode: 'question',
  version: 1,
  words: z.union([z.string().min(1), question]),
  plain(words) {
    const { timeout, ...asked } = typeof words === 'string' ? question.parse({ prompt: words }) : words;
    return { ...asked, ...(timeout !== undefined && { timeout_ms: parseDuration(timeout)! }) } satisfies QuestionText;
  },
});
