import { z } from 'zod';
import type { AttemptLog } from '../../service/logs.ts';
import { READS } from '../annotations.ts';
import { planId } from '../arguments.ts';
import { bounded } from '../bounded.ts';
import { defineTool } from '../tool.ts';
import { logLink } from '../uris.ts';

const count = (what: string) => z.int().min(0).optional().describe(what);
const log = z.object({
  task: z.string(),
  run: z.int(),
  attempt: z.int(),
  bytes: z.int(),
  started_at: z.string().describe('ISO 8601'),
  last_output_at: z.string().describe('ISO 8601'),
});

/** Attempts that are listed: the newest. */
const MOST_LOGS = 100;
const MOST_BYTES = 64 * 1_024;
const LINES = 200;

export const planLogs = defineTool({
  name: 'plan_logs',
  title: 'What tasks wrote',
  description: `Without task: which logs there are, one for each attempt of a task. With task: the last lines that its newest attempt wrote. Read it to learn why a task failed.
To read on from where you were, give next_offset as offset; offset: 0 reads from the beginning, 64 KiB at a time.
Errors: PLAN_NOT_FOUND, TASK_NOT_FOUND, OUTPUT_NOT_FOUND for an attempt that left no log.`,
  annotations: READS,
  input: z.strictObject({
    plan_id: planId,
    task: z.string().optional().describe('The id of a task'),
    run: count('Of which run; the newest, unless said'),
    attempt: count('Of which attempt; the last, unless said'),
    tail: z.int().min(1).max(5_000).optional().describe(`So many last lines; ${LINES} unless said`),
    offset: count('From this byte on, in place of the last lines'),
  }),
  output: z.object({
    plan_id: z.string(),
    logs: z
      .array(log)
      .describe('Which there are, those that began last at the end; of one task, the one that was read'),
    text: z.string().optional(),
    offset: z.int().optional().describe('Of the first byte of text'),
    next_offset: z.int().optional().describe('Where to read on'),
    more: z.boolean().optional().describe('There is more after next_offset now'),
  }),
  async run({ service, caller }, { plan_id: id, task, tail, offset, run, attempt }) {
    const plan_id = id.toLowerCase();
    if (task === undefined) {
      const logs = (await service.logs(caller, id, { run })).slice(-MOST_LOGS);
      const tasks = [...new Set(logs.map((one) => one.task))].slice(-10);
      return { body: { plan_id, logs: logs.map(logView) }, links: tasks.map((one) => logLink(plan_id, one)) };
    }
    const part = offset === undefined ? { tail: tail ?? LINES } : { offset };
    const open = await service.openLog(caller, id, { task, run, attempt, ...part });
    if (!open) return { body: { plan_id, logs: [], text: '', offset: 0, next_offset: 0, more: false } };
    // Of too many last lines, the last; from an offset on, the first.
    const { text, from, to } = await bounded(open, MOST_BYTES, offset === undefined ? 'end' : 'begin');
    return {
      body: { plan_id, logs: [logView(open.log)], text, offset: from, next_offset: to, more: to < open.log.bytes },
      links: [logLink(plan_id, task)],
    };
  },
});

const logView = ({ task, run, attempt, bytes, started_at, last_output_at }: AttemptLog) => ({
  task,
  run,
  attempt,
  bytes,
  started_at,
  last_output_at,
});
