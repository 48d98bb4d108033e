import { expect, test } from 'vitest';
import { Fault } from '../../src/faults.ts';
import { ID, serve } from '../api/serve.ts';
import { rpcClient } from './rpc.ts';

async function connected(told: Parameters<typeof serve>[0]) {
  const { port, calls } = await serve(told);
  return { calls, ...rpcClient(`http://127.0.0.1:${port}`) };
}

test('a dry run tells what would be kept and what would run, and why', async () => {
  const preview = {
    plan_id: ID,
    dry_run: true as const,
    reuse: ['x'],
    run: ['a'],
    reasons: { a: 'its command changed' },
  };
  const { tool, calls } = await connected({ nextRun: async () => ({ ...preview, mode: 'resume' }) });
  const { body } = await tool('plan_resume', { plan_id: ID, plan: { plan: 1 }, from: 'a', dry_run: true });
  expect(body).toMatchObject(preview);
  expect(body).not.toHaveProperty('status');
  expect(calls).toEqual([
    ['nextRun', ID, expect.objectContaining({ mode: 'resume', plan: '{"plan":1}', from: 'a', dry_run: true })],
  ]);
});

test('a retry is given the profile and the key', async () => {
  const { tool, calls } = await connected({});
  const { body } = await tool('plan_retry', { plan_id: ID, model_profile: 'large', idempotency_key: 'k' });
  expect(body).toMatchObject({ status: 'retry_queued', model_profile: 'large' });
  expect(calls).toEqual([['nextRun', ID, { mode: 'retry', model_profile: 'large', request_id: 'k' }]]);
});

test('what is neither ended nor paused is refused as it was', async () => {
  const { tool } = await connected({
    nextRun: () => Promise.reject(new Fault('PLAN_NOT_RESUMABLE', 'a plan that is executing cannot be resumed')),
    read: async () => ({ plan_id: ID, state: { status: 'executing' }, pausing: false }) as never,
  });
  const { body } = await tool('plan_resume', { plan_id: ID });
  expect(body.error).toEqual({ code: 'PLAN_NOT_RESUMABLE', message: 'a plan that is executing cannot be resumed' });
});
