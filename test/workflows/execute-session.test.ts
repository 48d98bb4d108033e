import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXECUTE_SIGNALS, executeId } from '../../src/contract/names.ts';
import { NO_HANDLES } from '../../src/plan/execute-session.ts';
import { findOperation, findPage } from '../../src/service/execute/handles.ts';
import { EXECUTION } from '../../src/service/execute/parts.ts';
import { type SessionKey, sessionsOf } from '../../src/service/execute/session.ts';
import { startWorld, until } from '../support/world.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

let made = 0;
const newKey = (): SessionKey => ({
  org_id: `execute-${process.pid}-${++made}`,
  prompt_hash: 'abcdef01',
  surface: 'http',
  session: 'one',
});
const sessions = (settings = {}) => sessionsOf(world.client, { ...EXECUTION, ...settings });
const handle = ({ org_id, prompt_hash, surface, session }: SessionKey) =>
  world.client.workflow.getHandle(executeId(org_id, prompt_hash, surface, session));
const operation = (request_id: string) => ({
  request_id,
  plan_id: `plan of ${request_id}`,
  commit_id: 'c',
  verdict: 'ok' as const,
  program: 'Pokemon',
});
const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);

describe('handles', () => {
  test('are unique when ten use a session for the first time at once, each by a service of its own', async () => {
    const key = newKey();
    const given = await Promise.all(upTo(10).map((i) => sessions().accept(key, operation(`r${i}`))));
    expect(given.sort((a, b) => a - b)).toEqual(upTo(10));
  });

  test('are unique for two hundred operations at once, which are told together', async () => {
    const key = newKey();
    const one = sessions();
    const given = await Promise.all(upTo(200).map((i) => one.accept(key, operation(`r${i}`))));
    expect(new Set(given).size).toBe(200);
    expect([...given].sort((a, b) => a - b)).toEqual(upTo(200));
    // Each was told its own.
    const found = await one.find(key, { operation: given[76]! });
    expect(found?.operation).toMatchObject({ is: 'kept', what: { plan_id: 'plan of r77' } });
    const signals = ((await handle(key).fetchHistory()).events ?? []).filter(
      ({ workflowExecutionSignaledEventAttributes: signal }) => signal,
    );
    expect(signals.length).toBeLessThan(10);
  });

  test('are the same for the same request, also when it is asked twice at once', async () => {
    const key = newKey();
    const [one, other] = [sessions(), sessions()];
    const twice = await Promise.all([one.accept(key, operation('r')), other.accept(key, operation('r'))]);
    expect([...twice, await one.accept(key, operation('r')), await one.accept(key, operation('s'))]).toEqual([
      1, 1, 1, 2,
    ]);
  });

  test('of pages and tokens are counted by themselves', async () => {
    const key = newKey();
    const one = sessions();
    const page = (key: string) => ({ key, place: { at: key } });
    expect(await one.pages(key, [page('a'), page('b')])).toEqual([1, 2]);
    expect(await sessions().pages(key, [page('b'), page('c')])).toEqual([2, 3]);
    const run = (commit_id: string) => ({ commit_id, verdict: 'review' as const, expensive: false });
    expect(await one.commit(key, run('x'))).toBe(0);
    expect(await one.commit(key, run('y'))).toBe(1);
    expect(await one.commit(key, run('x'))).toBe(0);
    expect(await one.accept(key, operation('r'))).toBe(1);
  });

  test('of nothing that was given say so, each in its own words', async () => {
    const key = newKey();
    const one = sessions();
    const none = await findOperation(one, key, 's0_o1').catch((error: Error) => error);
    expect(none).toMatchObject({ code: 'HANDLE_NOT_FOUND', message: expect.stringContaining('nor anything yet') });
    await one.accept(key, operation('r'));
    expect(await findOperation(one, key, 's0_o1')).toMatchObject({ n: 1, plan_id: 'plan of r' });
    const said: Record<string, [string, string]> = {
      s0_o2: ['HANDLE_NOT_FOUND', 'given no s0_o2; its last is s0_o1'],
      s0_o0: ['HANDLE_NOT_FOUND', 'given no s0_o0'],
      s1_o1: ['HANDLE_NOT_FOUND', 'another kind of session: what the session "one" gives begins with s0_'],
      s0_pg1: ['HANDLE_NOT_FOUND', 's0_pg1 is a page of rows: use page(s0_pg1)'],
      o1: ['HANDLE_NOT_FOUND', '"o1" is no handle'],
    };
    for (const [handle, [code, message]] of Object.entries(said))
      await expect(findOperation(one, key, handle), handle).rejects.toMatchObject({
        code,
        message: expect.stringContaining(message),
      });
    await expect(findPage(one, key, 's0_o1')).rejects.toThrow(
      's0_o1 is an operation: use wait(s0_o1) or cancel(s0_o1)',
    );
    await expect(findOperation(one, { ...key, session: 'two' }, 's0_o1')).rejects.toThrow(
      'is of the session that gave it',
    );
    await expect(findOperation(one, { ...key, org_id: 'evil' }, 's0_o1')).rejects.toMatchObject({
      code: 'HANDLE_NOT_FOUND',
    });
  });
});

describe('a session', () => {
  test('ends when nobody uses it, and goes on counting when somebody does again', async () => {
    const key = newKey();
    const one = sessions({ sessionTtlMs: 1_500 });
    await one.accept(key, operation('r'));
    const result = await handle(key).result();
    expect(result).toEqual({ schema_version: 1, counters: { ...NO_HANDLES, operations: 1 } });
    await expect(findOperation(one, key, 's0_o1')).rejects.toMatchObject({
      code: 'HANDLE_EXPIRED',
      message: expect.stringContaining('run the program again'),
    });
    expect(await one.accept(key, operation('s'))).toBe(2);
    await expect(findOperation(one, key, 's0_o1')).rejects.toMatchObject({ code: 'HANDLE_EXPIRED' });
    expect(await findOperation(one, key, 's0_o2')).toMatchObject({ plan_id: 'plan of s' });
  });

  test('goes on for as long as somebody uses it', async () => {
    const key = newKey();
    const one = sessions({ sessionTtlMs: 1_500 });
    await one.accept(key, operation('r'));
    for (let i = 0; i < 6; i++) {
      one.touch(key);
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    expect(await findOperation(one, key, 's0_o1')).toMatchObject({ n: 1 });
  });

  test('goes on counting also when it was ended from outside', async () => {
    const key = newKey();
    const one = sessions();
    await one.accept(key, operation('r'));
    await handle(key).terminate('by an operator');
    expect(await one.accept(key, operation('s'))).toBe(2);
  });

  test('goes on over its histories with all that it has given', async () => {
    const key = newKey();
    const one = sessions();
    await one.accept(key, operation('r'));
    await one.pages(key, [{ key: 'a', place: { at: 1 } }]);
    const { runId: first } = await handle(key).describe();
    for (let i = 0; i < 26; i++) await Promise.all(upTo(100).map(() => handle(key).signal(EXECUTE_SIGNALS.touch)));
    await until('it is in another history', async () => (await handle(key).describe()).runId !== first, 60_000);
    expect(await findOperation(one, key, 's0_o1')).toMatchObject({ plan_id: 'plan of r' });
    expect(await findPage(one, key, 's0_pg1')).toMatchObject({ place: { at: 1 } });
    expect(await one.accept(key, operation('r'))).toBe(1);
    expect(await one.accept(key, operation('s'))).toBe(2);
  });

  test('takes whatever somebody signals by hand', async () => {
    const key = newKey();
    const one = sessions();
    await one.accept(key, operation('r'));
    for (const signal of Object.values(EXECUTE_SIGNALS))
      for (const sent of [[], [null], [{}], [{ operations: [null, {}], pages: 'x' }]])
        await handle(key).signal(signal, ...(sent as [unknown]));
    expect(await one.accept(key, operation('s'))).toBe(2);
  });
});
