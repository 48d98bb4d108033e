import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { caller, until, witness } from '../support/world.ts';
import { startApi, textOf } from './real.ts';

let api: Awaited<ReturnType<typeof startApi>>;
beforeAll(async () => {
  api = await startApi();
});
afterAll(async () => {
  await api.stop();
});
const at = (id: string, task: string, more = '') => `/api/plans/${id}/tasks/${encodeURIComponent(task)}/logs${more}`;
const plan = (tasks: string) => `plan: 1\nname: p\ntasks:\n${tasks}`;
/** Waits, so that a test decides when the script goes on. */
const wait = (path: string) => `until test -f ${path}; do sleep 0.02; done`;

describe('the log of a task', () => {
  let here: Promise<string> | undefined;

  test('is what it wrote, byte by byte; parts of it can be asked for', async () => {
    const { world, ask } = api;
    const id = await world.create(plan(`  a: { run: "printf 'one\\\\ntwo\\\\n\\\\351\\\\nlast'" }\n`));
    await world.reaches(id, 'completed');
    const { status, headers, bytes } = await ask(at(id, 'a'));
    expect([status, headers['content-type'], headers['x-content-type-options']]).toEqual([
      200,
      'text/plain; charset=utf-8',
      'nosniff',
    ]);
    expect(bytes.toString('latin1')).toBe('one\ntwo\n\u00e9\nlast');
    const part = async (query: string) => (await ask(at(id, 'a', query))).bytes.toString('latin1');
    expect(await part('?tail=2')).toBe('\u00e9\nlast');
    expect(await part('?tail=0')).toBe('');
    expect(await part('?tail=99')).toBe('one\ntwo\n\u00e9\nlast');
    expect(await part('?offset=8')).toBe('\u00e9\nlast');
    expect(await part('?offset=99999')).toBe('');
    expect(headers['holdpoint-log']).toBe('1.1.1');
  });

  test('is there for every attempt of every run', async () => {
    const { world, ask } = api;
    const w = witness();
    const tasks = `  a: { run: "echo run $HOLDPOINT_RUN attempt $HOLDPOINT_ATTEMPT; test -f ${w.path('ok')}", retry: { max_attempts: 2, delay: 10ms } }\n`;
    const id = await world.create(plan(tasks));
    await world.reaches(id, 'failed');
    writeFileSync(w.path('ok'), '');
    await world.service.nextRun(caller, id, { mode: 'resume' });
    await world.reaches(id, 'completed');
    const { attempts } = (await ask(at(id, 'a'), { accept: 'application/json' })).json;
    expect(attempts).toEqual([
      expect.objectContaining({
        run: 1,
        attempt: 1,
        dispatch: 1,
        task: 'a',
        bytes: 16,
        started_at: expect.any(String),
      }),
      expect.objectContaining({ run: 1, attempt: 2, dispatch: 1 }),
      expect.objectContaining({ run: 2, attempt: 1, dispatch: 1 }),
    ]);
    expect((await ask(at(id, 'a'))).text).toBe('run 2 attempt 1\n');
    expect((await ask(at(id, 'a', '?run=1'))).text).toBe('run 1 attempt 2\n');
    expect((await ask(at(id, 'a', '?run=1&attempt=1'))).text).toBe('run 1 attempt 1\n');
    const none = await ask(at(id, 'a', '?run=3'));
    expect([none.status, none.json.code]).toEqual([404, 'OUTPUT_NOT_FOUND']);
    expect(none.json.detail).toBe(
      'task a has no such log; there are: run 1 attempt 1.1, run 1 attempt 2.1, run 2 attempt 1.1',
    );
  });

  test('is there for what is in sub-plans and maps, and for requests in them', async () => {
    const { world, ask } = api;
    const id = await world.create(
      plan(`  build: { plan: { tasks: { compile: { run: "echo compiled" } } } }
  each: { map: { in: [1, 2], task: { plan: { tasks: { x: { run: "echo item \${{ item }}" } } } } } }
  odd: { map: { in: [7], task: { run: "echo odd \${{ item }}" } } }
`).replaceAll('${{ item }}', '$HOLDPOINT_TASK'),
    );
    await world.reaches(id, 'completed');
    expect((await ask(at(id, 'build/compile'))).text).toBe('compiled\n');
    expect((await ask(at(id, 'each[1]/x'))).text).toBe('item each[1]/x\n');
    expect((await ask(at(id, 'odd[0]'))).text).toBe('odd odd[0]\n');
    expect(textOf(await api.events(at(id, 'each[0]/x')))).toBe('item each[0]/x\n');
    for (const none of ['each[2]', 'each[2]/x', 'each[x]', 'odd[1]'])
      for (const accept of ['text/plain', 'application/json', 'text/event-stream']) {
        const { status, json } = await ask(at(id, none), { accept });
        expect([status, json.code], `${none} ${accept}`).toEqual([404, 'TASK_NOT_FOUND']);
      }
  });

  test('of one without output is empty; of an unknown one there is none', async () => {
    const { world, ask } = api;
    const id = await world.create(plan('  values: { set: { a: 1 } }\n'));
    await world.reaches(id, 'completed');
    expect(await ask(at(id, 'values'))).toMatchObject({ status: 200, text: '' });
    expect((await ask(at(id, 'values'), { accept: 'application/json' })).json).toEqual({ attempts: [] });
    expect(await api.events(at(id, 'values'))).toEqual([{ event: 'end', data: { run: 1, status: 'succeeded' } }]);
    for (const accept of ['text/plain', 'application/json', 'text/event-stream']) {
      const { status, json } = await ask(at(id, 'valeus'), { accept });
      expect([status, json.code, json.detail]).toEqual([
        404,
        'TASK_NOT_FOUND',
        'there is no task "valeus" in this plan; did you mean values?',
      ]);
    }
  });

  test('of another organisation’s plan is not found', async () => {
    const { world, ask } = api;
    const id = await world.create(plan('  a: { run: "echo secret" }\n'));
    await world.reaches(id, 'completed');
    for (const accept of ['text/plain', 'application/json', 'text/event-stream']) {
      const { status, json, text } = await ask(at(id, 'a'), { accept, 'x-org': 'other' });
      expect([status, json.code]).toEqual([404, 'PLAN_NOT_FOUND']);
      expect(text).not.toContain('secret');
    }
  });

  test.each([
    ['..%2f..%2fsecret', 404],
    ['..', 404],
    ['%2e%2e%2f%2e%2e', 404],
    ['a%00', 404],
    ['%2fetc%2fpasswd', 404],
    ['a%231.1', 404],
    ['a%231.1.log', 404],
    ['..%5c..%5c', 404],
    ['%', 404],
    ['a[', 404],
    ['%5B%5B%5B/%5B', 404],
  ])('tasks/%s/logs leads nowhere', async (task, expected) => {
    const { world, ask } = api;
    here ??= world.create(plan('  a: { run: "echo here" }\n'));
    const id = await here;
    await world.reaches(id, 'completed');
    writeFileSync(join(world.home, 'runs', 'secret#1.1.log'), 'secret');
    const { status, text } = await ask(`/api/plans/${id}/tasks/${task}/logs`);
    expect([status, text.includes('secret\n')]).toEqual([expected, false]);
  });

  test.each(['..', '..%2f..', '%2e%2e%2fruns', 'a%00b', 'not-a-uuid'])('plans/%s/… leads nowhere', async (id) => {
    expect((await api.ask(`/api/plans/${id}/tasks/a/logs`)).status).toBe(404);
  });

  test.each([
    ['?run=x', /run: has to be a whole number/],
    ['?tial=1', /did you mean "tail"/],
    ['?attempt=-1', /attempt/],
  ])('%s is refused', async (query, detail) => {
    const { status, json } = await api.ask(at('11111111-1111-4111-8111-111111111111', 'a', query));
    expect([status, json.code]).toEqual([422, 'REQUEST_INVALID']);
    expect(json.detail).toMatch(detail);
  });
});

describe('a log that is followed', () => {
  test('comes as it is written, goes over to the next attempt, and ends with the task', async () => {
    const { world } = api;
    const w = witness();
    const id = await world.create(
      plan(`  a:
    run: |
      echo "begin $HOLDPOINT_ATTEMPT"
      ${wait(w.path('go'))}
      echo "end $HOLDPOINT_ATTEMPT"
      test $HOLDPOINT_ATTEMPT = 2
    retry: { max_attempts: 2, delay: 10ms }
  b: { needs: a, wait: 1h }
`),
    );
    const events = await api.events(at(id, 'a'), {}, (seen) => {
      if (textOf(seen) === 'begin 1\n') writeFileSync(w.path('go'), '');
      return false;
    });
    expect(textOf(events)).toBe('begin 1\nend 1\nbegin 2\nend 2\n');
    expect(events.at(-1)).toEqual({ event: 'end', data: { run: 1, status: 'succeeded' } });
    expect(events[0]).toEqual({
      id: '1.1.1:8',
      event: 'output',
      data: { run: 1, task: 'a', attempt: 1, dispatch: 1, offset: 0, next: 8, text: 'begin 1\n' },
    });
    await world.service.command(caller, id, 'stop');
  });

  test('goes on after any Last-Event-ID without gap or repeat', async () => {
    const { world } = api;
    const id = await world.create(
      plan(`  a: { run: "seq 1 30000; test $HOLDPOINT_ATTEMPT = 2", retry: { max_attempts: 2, delay: 10ms } }\n`),
    );
    await world.reaches(id, 'completed', 30_000);
    const all = await api.events(at(id, 'a'));
    const lines = Array.from({ length: 30_000 }, (_, i) => `${i + 1}\n`).join('');
    expect(textOf(all) === lines + lines).toBe(true);
    expect(all.length).toBeGreaterThan(5);
    for (let n = 0; n < all.length - 1; n++) {
      const rest = await api.events(at(id, 'a'), { 'last-event-id': all[n]!.id! });
      expect(textOf(all.slice(0, n + 1)) + textOf(rest) === lines + lines).toBe(true);
      expect(rest.at(-1)!.event).toBe('end');
    }
  });

  test('never has a character cut in two', async () => {
    const { world } = api;
    const w = witness();
    const halves = `printf 'a\\360\\237'; ${wait(w.path('go'))}; printf '\\230\\200b\\303'`;
    const id = await world.create(plan(`  a:\n    run: |\n      ${halves}\n`));
    const events = await api.events(at(id, 'a'), {}, (seen) => {
      if (textOf(seen) === 'a') writeFileSync(w.path('go'), '');
      return false;
    });
    expect(textOf(events)).toBe('a😀b\ufffd');
  });

  test('of one item of a map ends with the item, not with the map', async () => {
    const { world } = api;
    const id = await world.create(
      plan('  each: { map: { in: ["0", "1h"], task: { run: "echo $HOLDPOINT_TASK; sleep ${{ item }}" } } }\n'),
    );
    await until('it runs', async () => (await world.service.logs(caller, id)).length === 2);
    const events = await api.events(at(id, 'each[0]'));
    expect([textOf(events), events.at(-1)!.data]).toEqual(['each[0]\n', { run: 1, status: 'succeeded' }]);
    await world.service.command(caller, id, 'stop');
  });

  test('starts with the last lines where these are asked for, and refuses what is no id of it', async () => {
    const { world } = api;
    const id = await world.create(plan('  a: { run: "seq 1 100" }\n'));
    await world.reaches(id, 'completed');
    expect(textOf(await api.events(at(id, 'a', '?tail=2')))).toBe('99\n100\n');
    const { status, json } = await api.ask(at(id, 'a'), { accept: 'text/event-stream', 'last-event-id': 'x' });
    expect([status, json.code]).toEqual([422, 'REQUEST_INVALID']);
  });
});
