import { expect, test } from 'vitest';
import { planDetails } from '../../src/plan/details.ts';
import { approval, define, drive } from '../support/rules.ts';

test('operators read how far a plan is, what it waits for, and each of its tasks', () => {
  const run = drive(
    define({
      build: { retry: { max_attempts: 3, delay_ms: 1_000, backoff: 2, max_delay_ms: 60_000 } },
      ok: approval(['build']),
      ship: { needs: ['ok'] },
    }),
  );
  expect(planDetails(run.plan, run.now())).toBe(
    `**executing** · 0 of 3 tasks done (0 %)

| task | kind | status | attempt | note |
| --- | --- | --- | --- | --- |
| \`build\` | run | ▶ running | 1 of 3 |  |
| \`ok\` | approve | · pending |  | after build |
| \`ship\` | run | · pending |  | after ok |`,
  );
  run.succeed('build');
  const asked = planDetails(run.plan, run.now());
  expect(asked).toContain('**awaiting_input**');
  expect(asked).toContain('- waits for question ok.1 since 1970-01-01T00:16:40.000Z: Go on?');
  expect(asked).toContain('| `ok` | approve | … waiting |  | Go on? |');
  run.command('answer', { question: 'ok.1', choice: 'reject' });
  expect(planDetails(run.plan, run.now())).toContain('**failed** · 1 of 3 tasks done (33 %) · ok: rejected by Ada');
});

test('what people wrote ends no cell and begins no markup', () => {
  const run = drive(define({ ok: approval([], { prompt: 'a | b\n# c `d` <img> [x](y)' }) }));
  expect(planDetails(run.plan, run.now())).toContain('| … waiting |  | a \\| b \\# c \\`d\\` \\<img\\> \\[x\\](y) |');
});

test('of a large plan the details show what is going on and count the rest', () => {
  const tasks = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`t${i}`, {}]));
  const run = drive(define(tasks, { max_parallel: 3 }));
  run.succeed('t1');
  run.fail('t2');
  const details = planDetails(run.plan, run.now());
  expect(details.match(/^\| `/gm)).toHaveLength(40);
  expect(details).toContain('| `t2` | run | ✗ failed |');
  expect(details).toContain('| `t0` | run | ▶ running |');
  expect(details).toContain('and 960 more');
  expect(details.length).toBeLessThan(10_000);
});
