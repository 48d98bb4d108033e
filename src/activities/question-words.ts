import { z } from 'zod';
import { parseDuration } from '../plan/duration.ts';
import type { QuestionText } from '../plan/questions.ts';
import { someTime } from '../plan/schema.ts';

/** What `on_timeout` may say besides one of the options. */
const OUTCOMES = ['fail', 'hold'];

/** Words that all questions have. */
export const ASKED = {
  prompt: z.string().min(1).describe('What is asked'),
  timeout: someTime.optional().describe('How long an answer is waited for'),
  on_timeout: z.string().optional().describe('What then happens: one of the options, `fail` or `hold`'),
};

export const optionList = z
  .array(
    z
      .string()
      .min(1)
      .regex(/^\P{Cc}*$/u, 'has control characters, such as line breaks; remove them'),
  )
  .min(1)
  .refine((options) => new Set(options).size === options.length, 'an option is given twice')
  .describe('What may be chosen; `reject` fails an `approve`');

interface TimeoutWords {
  timeout?: string | undefined;
  on_timeout?: string | undefined;
  options?: string[];
}

/** A time-out's outcome is one of the options, or a word of its own, and there has to be a time-out. */
export function checkTimeout({ options = [], timeout, on_timeout }: TimeoutWords, context: z.RefinementCtx): void {
  if (on_timeout === undefined) return;
  const problem = (message: string) => context.addIssue({ code: 'custom', path: ['on_timeout'], message });
  if (timeout === undefined) problem('says what happens after a timeout, and there is none; add timeout');
  if (OUTCOMES.includes(on_timeout) && options.includes(on_timeout))
    problem(`"${on_timeout}" is one of the options and also a word of its own; call the option something else`);
  else if (![...options, ...OUTCOMES].includes(on_timeout))
    problem(`"${on_timeout}" is none of ${[...options, ...OUTCOMES].join(', ')}`);
}

/** The words of a question as the workflow carries them. */
export function plainQuestion({
  timeout,
  ...asked
}: Omit<QuestionText, 'timeout_ms'> & { timeout?: string | undefined }): QuestionText {
  return { ...asked, ...(timeout !== undefined && { timeout_ms: parseDuration(timeout)! }) };
}
