import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { timedSignal } from '../src/timed-signal.ts';

setFlagsFromString('--expose_gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Joined to another signal and kept by nobody, as where something waits for either. */
function heard(joined: AbortSignal): Promise<string> {
  const either = AbortSignal.any([new AbortController().signal, joined]);
  return new Promise((resolve) => either.addEventListener('abort', () => resolve('aborted')));
}

test('a signal that is joined to others aborts in its time, though garbage is collected before', async () => {
  const aborted = heard(timedSignal(100).signal);
  for (let i = 0; i < 3; i++) {
    await delay(10);
    collectGarbage();
  }
  expect(await Promise.race([aborted, delay(5_000)])).toBe('aborted');
});

test('a signal that is cleared, or has no time, does not abort', async () => {
  const cleared = timedSignal(5);
  cleared.clear();
  const endless = timedSignal(undefined);
  await delay(50);
  expect([cleared.signal.aborted, endless.signal.aborted]).toEqual([false, false]);
});
