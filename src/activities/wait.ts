import { z } from 'zod';
import { parseDuration } from '../plan/duration.ts';
import { defineTaskKind, type TaskKind } from '../plan/kind.ts';
import { parseTime } from '../plan/time.ts';

const RULE =
  'write a duration such as 30s or 1h30m, a time such as 2026-01-31T09:00:00Z, or an expression that gives one';

/** Lets a span of time pass, or waits until a time; needs no worker meanwhile. What an expression gives is checked when it runs. */
export const wait = defineTaskKind<string, TaskKind<string>>({
  key: 'wait',
  mode: 'clock',
  version: 1,
  words: z
    .string(RULE)
    .describe('A duration, or a time with its zone')
    .meta({ examples: ['10m', '2026-12-24T18:00:00Z'] })
    .refine((text) => text.includes('${{') || parseDuration(text) !== undefined || isTime(text), {
      error: ({ input }) => `${JSON.stringify(input)} is neither a duration nor a time; ${RULE}`,
    }),
  plain: (text) => text,
});

/** A time without its zone would be another time on another machine. */
const isTime = (text: string): boolean => parseTime(text) !== undefined;
