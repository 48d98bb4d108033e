import pc from 'picocolors';
import { expect, test } from 'vitest';
import type { Ending } from '../../../src/cli/follow-plan.ts';
import { endingLine } from '../../../src/cli/render/ending.ts';
import type { Totals } from '../../../src/plan/state.ts';

const NONE: Totals = {
  pending: 0,
  running: 0,
  waiting: 0,
  backing_off: 0,
  succeeded: 0,
  failed: 0,
  skipped: 0,
  cancelled: 0,
};
const ending = (
  status: 'completed' | 'failed' | 'stopped',
  totals: Partial<Totals>,
  error: Ending['error'] = null,
): Ending => ({
  state: { status },
  error,
  totals: { ...NONE, ...totals },
  took_ms: 3_200,
});

test.each([
  [ending('completed', { succeeded: 7 }), 'completed 7 tasks in 3.2s'],
  [ending('completed', { succeeded: 1 }), 'completed 1 task in 3.2s'],
  [
    ending('completed', { succeeded: 4, skipped: 2, failed: 1 }),
    'completed 7 tasks (2 skipped, 1 failed and not needed) in 3.2s',
  ],
  [
    ending('failed', {}, { task: 'b', code: 'X', message: 'exit code 1: no\nroom' }),
    'failed: task b: exit code 1: no room',
  ],
  [ending('stopped', { succeeded: 3 }), 'stopped with 3 tasks done in 3.2s'],
  [
    ending('stopped', {}, { code: 'ENDED_OUTSIDE', message: 'terminated from outside' }),
    'stopped: terminated from outside',
  ],
])('%#: %s', (given, line) => expect(endingLine(given, pc.createColors(false))).toBe(line));
