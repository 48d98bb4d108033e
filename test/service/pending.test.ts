import { defaultPayloadConverter } from '@temporalio/common';
import { expect, test } from 'vitest';
import type { TaskView } from '../../src/plan/view.ts';
import { type PendingActivity, withLiveness } from '../../src/service/pending.ts';

const task = (id: string, status: TaskView['status'] = 'running'): TaskView => ({
  id,
  kind: 'run',
  status,
  attempt: 1,
  max_attempts: 1,
  needs: [],
});
const NOW = Date.UTC(2026, 0, 31);
const started = (details: unknown): PendingActivity => ({
  activityId: 'a-1#2.3',
  state: 2,
  heartbeatDetails: { payloads: [defaultPayloadConverter.toPayload(details)!] },
});

test.each<[string, PendingActivity[], object]>([
  ['nothing is pending', [], {}],
  ['no worker has it', [{ activityId: 'a-1#1.1', state: 1 }], { queued: true }],
  ['a worker has it, and nothing was heard yet', [{ activityId: 'a-1#1.1', state: 2 }], {}],
  ['it writes', [started({ last_output_at: NOW - 299_999 })], { last_output_at: '2026-01-30T23:55:00.001Z' }],
  [
    'it has been silent for five minutes',
    [started({ last_output_at: NOW - 300_000 })],
    { last_output_at: '2026-01-30T23:55:00.000Z', silent_ms: 300_000 },
  ],
  ['another task is silent', [{ ...started({ last_output_at: 0 }), activityId: 'a#1.1' }], {}],
  ['its heartbeat holds something else', [started({ last_output_at: 'soon' })], {}],
  [
    'it has called a model',
    [started({ last_output_at: NOW, last_llm_call_at: NOW - 1_000 })],
    { last_output_at: '2026-01-31T00:00:00.000Z', last_llm_call_at: '2026-01-30T23:59:59.000Z' },
  ],
  ['its heartbeat holds nothing', [started(null)], {}],
  ['its heartbeat holds no time', [started({ last_output_at: 1e300 })], {}],
  [
    'its heartbeat cannot be read',
    [
      {
        activityId: 'a-1#1.1',
        state: 2,
        heartbeatDetails: { payloads: [{ metadata: {}, data: new Uint8Array([1]) }] },
      },
    ],
    {},
  ],
])('of a running task: %s', (_, pending, more) => {
  expect(withLiveness([task('a-1')], pending, NOW)).toEqual([{ ...task('a-1'), ...more }]);
});

test('tasks that do not run are left as they are', () => {
  expect(withLiveness([task('a-1', 'succeeded')], [started({ last_output_at: 0 })], NOW)).toEqual([
    task('a-1', 'succeeded'),
  ]);
});
