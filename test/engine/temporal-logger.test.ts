import { Runtime, Worker } from '@temporalio/worker';
import pino from 'pino';
import { beforeEach, expect, inject, test } from 'vitest';
import { temporalLogger } from '../../src/engine/temporal-logger.ts';
import { temporalRuntime } from '../../src/engine/temporal-runtime.ts';
import { connectWorker } from '../../src/temporal/connection.ts';
import { hintSinks } from '../../src/worker/hint-sinks.ts';
import { load } from '../replay/histories.ts';
import { temporalAddress, until } from '../support/world.ts';

const LEVELS: Record<number, string> = { 20: 'debug', 40: 'warn', 50: 'error' };
const lines: [level: string | undefined, line: Record<string, unknown>][] = [];
const log = pino(
  { level: 'trace', base: null },
  {
    write(text: string) {
      const { level, time: _, ...line } = JSON.parse(text);
      lines.push([LEVELS[level], line]);
    },
  },
);
beforeEach(() => {
  lines.length = 0;
});

test('what the core of the SDK warns of is for debugging; its errors, and what workers warn of, are told', () => {
  const logger = temporalLogger(log);
  logger.warn('Workflow task not found', { sdkComponent: 'core' });
  logger.error('it ended', { sdkComponent: 'core' });
  logger.warn('Activity failed', { sdkComponent: 'worker', workflowId: 'plan/local/p1', activityId: 'a#1.1' });
  expect(lines).toEqual([
    ['debug', { sdkComponent: 'core', msg: 'Workflow task not found' }],
    ['error', { sdkComponent: 'core', msg: 'it ended' }],
    ['warn', { sdkComponent: 'worker', plan_id: 'p1', task: 'a', msg: 'Activity failed' }],
  ]);
});

test('what the core says comes into our log, and it writes nothing by itself', async () => {
  Runtime.install(temporalRuntime(log));
  // The runtime ends with the last that uses it, and what the core has not told by then it does not tell any more.
  const connection = await connectWorker({ address: temporalAddress() });
  const { workflow_id: workflowId, events } = load('lost-worker');
  // The core warns of histories that do not fit the code.
  const history = JSON.parse(JSON.stringify({ events }).replaceAll('"run"', '"wait"'));
  const options = { workflowBundle: { codePath: inject('bundle') }, sinks: hintSinks() };
  for await (const { error } of Worker.runReplayHistories(options, [{ workflowId, history }]))
    expect(error?.message).toMatch(/TMPRL1100/);
  const [level, line] = await until('it warns', () => lines.find(([, { sdkComponent }]) => sdkComponent === 'core'));
  expect(level).toBe('debug');
  expect(line.msg).toMatch(/^[ -~]+$/);
  await connection.close();
});
