import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordPlace } from '../../src/service/place.ts';
import { mustConform } from '../support/conforms.ts';
import { startWorld, until, witness } from '../support/world.ts';
import { type Answer, type Ask, serve } from './serve.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

/** The API before the real service; every answer has to be one that its description has. */
async function api() {
  const { ask } = await serve(world.service, { place: () => recordPlace(process.env) });
  const call = async (target: string, asked: Ask = {}): Promise<Answer> => {
    const answer = await ask(target, asked);
    mustConform(target, answer);
    return answer;
  };
  const put = (id: string, path: string, asked?: Ask) => call(`PUT /api/plans/${id}/${path}`, asked);
  const create = async (body: string | object, headers: Record<string, string> = {}) =>
    await call('POST /api/plans', { body, headers });
  const created = async (body: string | object): Promise<string> => {
    const answer = await create(body);
    expect(answer.status, answer.text).toBe(201);
    return answer.json.plan_id as string;
  };
  return { call, put, create, created };
}

const GATE = 'plan: 1\nname: gate\ntasks:\n  ok: { approve: { prompt: "Go on?", options: [approve, reject] } }\n';
const refusal = ({ status, json }: Answer) => [status, json.code, json.detail];

describe('pause, resume and stop', () => {
  test('from each state, and refused where they are not possible', async () => {
    const { put, call, created } = await api();
    const id = await created(GATE);
    await world.reaches(id, 'awaiting_input');
    const seen: unknown[] = [];
    for (const verb of ['resume', 'pause', 'pause', 'resume', 'stop', 'pause', 'resume', 'stop'])
      seen.push([verb, (await put(id, verb)).status]);
    expect(seen).toEqual([
      ['resume', 400],
      ['pause', 204],
      ['pause', 400],
      ['resume', 204],
      ['stop', 204],
      ['pause', 400],
      ['resume', 400],
      ['stop', 400],
    ]);
    expect((await call(`GET /api/plans/${id}`)).json.state).toEqual({ status: 'stopped' });
    expect(refusal(await put(id, 'resume'))).toEqual([
      400,
      'PLAN_INVALID_STATE',
      'cannot resume a plan that is stopped',
    ]);
  });

  test('while a task runs a pause takes effect later; who asks for strictness is refused', async () => {
    const { put, call, created } = await api();
    const { path } = witness();
    const wait = `until test -e ${path('go')}; do sleep 0.05; done`;
    const id = await created(
      `plan: 1\nname: long\ntasks:\n  a: { run: "${wait}" }\n  ok: { needs: [a], approve: { prompt: x } }\n`,
    );
    await until('a runs', async () => (await world.task(id, 'a')).status === 'running');
    const strict = await put(id, 'pause', { headers: { prefer: 'handling=strict' } });
    expect([strict.status, strict.headers['preference-applied']]).toEqual([400, 'handling=strict']);
    const later = await put(id, 'pause', { body: { request_id: 'p1' } });
    expect([later.status, later.json]).toEqual([202, { plan_id: id, request_id: 'p1', pausing: true }]);
    expect(later.headers.location).toBe(`/api/plans/${id}/commands/p1`);
    const view = (await call(`GET /api/plans/${id}`)).json;
    expect([view.state, view.pausing]).toEqual([{ status: 'executing' }, true]);
    expect((await put(id, 'pause')).json.detail).toMatch(/being paused by .*: a running task has to end first/);
    expect((await put(id, 'pause', { headers: { 'idempotency-key': 'p1' } })).status).toBe(202);
    await world.handle(id).signal('stop', {});
  });

  test('ids in capitals mean the same plan; malformed and unknown ones none', async () => {
    const { put, created } = await api();
    const id = await created(GATE);
    await world.reaches(id, 'awaiting_input');
    expect((await put(id.toUpperCase(), 'pause')).status).toBe(204);
    for (const other of ['00000000-0000-4000-8000-000000000000', 'x', '..%2F..', '%F0%9F%98%80', 'a'.repeat(300)])
      for (const verb of ['pause', 'resume', 'stop'])
        expect((await put(other, verb)).json.code, other).toBe('PLAN_NOT_FOUND');
    await put(id, 'stop');
  });

  test('the address answers with and without a slash at its end, HEAD, OPTIONS, and 405 with Allow', async () => {
    const { call, created } = await api();
    const id = await created(GATE);
    await world.reaches(id, 'awaiting_input');
    const at = `/api/plans/${id}`;
    expect((await call(`PUT ${at}/pause/`)).status).toBe(204);
    const head = await call(`HEAD ${at}`);
    expect([head.status, head.text]).toEqual([200, '']);
    const options = await call(`OPTIONS ${at}/pause`);
    expect([options.status, options.headers.allow]).toEqual([204, 'PUT, OPTIONS']);
    const wrong = await call(`POST ${at}/pause`);
    expect([wrong.status, wrong.headers.allow]).toEqual([405, 'PUT, OPTIONS']);
    await call(`PUT ${at}/stop`);
  });

  test('a body may be left out or empty; anything but an object of known words is refused', async () => {
    const { put, created } = await api();
    const id = await created(GATE);
    await world.reaches(id, 'awaiting_input');
    const type = (name: string) => ({ 'content-type': name });
    const cases: [Ask, number][] = [
      [{ body: 'null', headers: type('application/json') }, 422],
      [{ body: '[]', headers: type('application/json') }, 422],
      [{ body: '"x"', headers: type('application/json') }, 422],
      [{ body: '{"comment":1}', headers: type('application/json') }, 422],
      [{ body: '{}', headers: type('application/json; charset=utf-16') }, 415],
      [{ body: '{}', headers: type('text/html') }, 415],
      [{ headers: { 'idempotency-key': '' } }, 422],
      [{ headers: { 'idempotency-key': 'é' } }, 422],
      [{ headers: { 'idempotency-key': 'x'.repeat(201) } }, 422],
      [{ body: '{}', headers: type('application/json; charset=UTF-8') }, 204],
    ];
    for (const [asked, status] of cases)
      expect((await put(id, 'pause', asked)).status, JSON.stringify(asked)).toBe(status);
    await put(id, 'stop');
  });
});

describe('a request_id of one’s own', () => {
  test('the same again answers the same, also after the plan has ended, and does nothing more', async () => {
    const { put, created } = await api();
    const id = await created(GATE);
    await world.reaches(id, 'awaiting_input');
    const again = async (verb: string, key: string) =>
      (await put(id, verb, { headers: { 'idempotency-key': key } })).status;
    expect(await again('pause', 'one')).toBe(204);
    expect(await again('pause', 'one')).toBe(204);
    expect(await again('pause', 'two')).toBe(400);
    expect(await again('resume', 'three')).toBe(204);
    expect(await again('pause', 'two')).toBe(400);
    expect((await world.read(id)).state.status).toBe('awaiting_input');
    expect(await again('stop', 'four')).toBe(204);
    await world.reaches(id, 'stopped').catch(() => undefined);
    expect(await again('stop', 'four')).toBe(204);
    expect(await again('stop', 'five')).toBe(400);
  });

  test('one id for two different commands: the second is refused, and not carried out', async () => {
    const { put, created } = await api();
    const id = await created(GATE);
    await world.reaches(id, 'awaiting_input');
    const body = { request_id: 'same' };
    expect((await put(id, 'pause', { body })).status).toBe(204);
    const other = await put(id, 'stop', { body });
    expect(refusal(other)).toEqual([
      422,
      'REQUEST_INVALID',
      'request_id "same" was used for pause already; take a new one for stop',
    ]);
    expect((await world.read(id)).state.status).toBe('paused');
    await put(id, 'stop');
  });

  test('one id for another target or another answer: refused as used, and not carried out, also after the end', async () => {
    const { call, put, created } = await api();
    const ask = (id: string) => `${id}: { approve: { prompt: "Go on?", options: [ship, reject] } }`;
    const plan = `plan: 1\nname: two\ntasks:\n  ${ask('q')}\n  ${ask('r')}\n  a: { needs: [q], run: "true" }\n  b: { needs: [q], run: "true" }\n`;
    const id = await created(plan);
    await world.reaches(id, 'awaiting_input');
    const headers = { 'idempotency-key': 'h' };
    expect((await put(id, 'tasks/a/hold', { headers })).status).toBe(204);
    expect((await put(id, 'tasks/a/hold', { headers })).status).toBe(204);
    expect(refusal(await put(id, 'tasks/b/hold', { headers }))).toEqual([
      422,
      'REQUEST_INVALID',
      'request_id "h" was used for another hold already; take a new one for this',
    ]);
    const held = (await world.read(id)).tasks.filter(({ hold }) => hold);
    expect(held.map((task) => task.id)).toEqual(['a']);
    await put(id, 'tasks/a/release');
    const answer = async (question: string, choice: string) => {
      const body = { choice, request_id: 'x' };
      const { status } = await call(`POST /api/plans/${id}/questions/${question}/answer`, { body });
      return status;
    };
    const all = async () => [
      await answer('q', 'ship'),
      await answer('r', 'ship'),
      await answer('q', 'reject'),
      await answer('q', 'ship'),
    ];
    expect(await all()).toEqual([200, 422, 422, 200]);
    await put(id, 'stop');
    await world.reaches(id, 'stopped');
    expect(await all()).toEqual([200, 422, 422, 200]);
  });

  test('of half a character is refused before anything is sent', async () => {
    const { put, created } = await api();
    const id = await created(GATE);
    await world.reaches(id, 'awaiting_input');
    const { status, json } = await put(id, 'pause', {
      body: '{"request_id": "\\ud800"}',
      headers: { 'content-type': 'application/json' },
    });
    expect([status, json.code, json.detail]).toEqual([422, 'REQUEST_INVALID', expect.stringMatching(/^request_id: /)]);
    expect((await world.read(id)).state.status).toBe('awaiting_input');
    await put(id, 'stop');
  });

  test('its outcome can be asked for; one never sent is unknown, one that 200 followed is gone', async () => {
    const { call, put, created } = await api();
    const id = await created(GATE);
    await world.reaches(id, 'awaiting_input');
    await put(id, 'pause', { body: { request_id: 'first' } });
    await put(id, 'pause', { body: { request_id: 'refused' } });
    const outcome = (name: string) => call(`GET /api/plans/${id}/commands/${name}`);
    expect((await outcome('first')).json).toEqual({ request_id: 'first', result: 'done' });
    expect((await outcome('refused')).status).toBe(400);
    expect(refusal(await outcome('never'))).toEqual([
      404,
      'COMMAND_NOT_FOUND',
      'no command "never" was sent to this plan',
    ]);
    const handle = world.handle(id);
    for (let i = 0; i < 200; i++) await handle.signal('pause', { schema_version: 1, request_id: `more-${i}` });
    expect(refusal(await outcome('first'))).toEqual([
      410,
      'COMMAND_FORGOTTEN',
      'the outcome of "first" is no longer kept: 200 came after it',
    ]);
    await put(id, 'stop');
  });

  test('without a worker a command is kept: 202, Retry-After, and an outcome that comes later (case 10)', async () => {
    const { call, put, created } = await api();
    const id = await created(GATE);
    await world.reaches(id, 'awaiting_input');
    await world.stopWorker();
    try {
      const kept = await put(id, 'pause', { body: { request_id: 'kept' } });
      expect([kept.status, kept.headers['retry-after'], kept.json.request_id]).toEqual([202, '1', 'kept']);
      expect((await call(`GET ${kept.headers.location}`)).json).toEqual({ request_id: 'kept', result: 'pending' });
      // Whether it is on its way nobody can tell without a worker.
      expect((await call(`GET /api/plans/${id}/commands/never`)).json).toMatchObject({ result: 'pending' });
      const listed = await until('it is listed', async () => {
        const { plans } = (await call('GET /api/plans?state=awaiting_input&limit=500')).json as unknown as {
          plans: { plan_id: string }[];
        };
        return plans.some(({ plan_id }) => plan_id === id);
      });
      expect(listed).toBe(true);
    } finally {
      await world.startWorker();
    }
    await world.reaches(id, 'paused');
    expect((await call(`GET /api/plans/${id}/commands/kept`)).json).toEqual({ request_id: 'kept', result: 'done' });
    await put(id, 'stop');
  });
});

describe('a plan that is read again', () => {
  test('is not sent again while nothing but time has changed', async () => {
    const { call, put, created } = await api();
    const id = await created(GATE);
    await world.reaches(id, 'awaiting_input');
    const first = await call(`GET /api/plans/${id}`);
    const tag = first.headers.etag!;
    expect(tag).toMatch(/^W\//);
    const again = () => call(`GET /api/plans/${id}`, { headers: { 'if-none-match': tag } });
    const unchanged = await again();
    expect([unchanged.status, unchanged.text, unchanged.headers.etag]).toEqual([304, '', tag]);
    await put(id, 'pause');
    const changed = await again();
    expect([changed.status, changed.json.state]).toEqual([200, { status: 'paused' }]);
    expect(changed.headers.etag).not.toBe(tag);
    await put(id, 'stop');
  });
});

describe('holding tasks', () => {
  test('what is held does not start before it is released, by either address', async () => {
    const { call, put, created } = await api();
    const { mark, n } = witness();
    const id = await created({
      plan: `plan: 1\nname: held\ntasks:\n  ok: { approve: { prompt: x } }\n  b: { needs: [ok], run: "${mark('b')}" }\n`,
      review: 'required',
    });
    expect((await put(id, 'tasks/b/hold', { body: { comment: 'not yet' } })).status).toBe(204);
    expect((await put(id, 'tasks/b/hold')).status).toBe(400);
    expect((await put(id, 'tasks/nope/hold')).json.code).toBe('TASK_NOT_FOUND');
    expect((await put(id, 'approve')).status).toBe(204);
    await world.reaches(id, 'awaiting_input');
    await call(`POST /api/plans/${id}/questions/ok/answer`, { body: { choice: 'approve' } });
    const { waiting_for } = await until('b is waited for', async () => {
      const view = await world.read(id);
      return view.waiting_for.some(({ what }) => what === 'release') && view;
    });
    expect(waiting_for).toMatchObject([{ what: 'release', task: 'b' }]);
    expect(n('b')).toBe(0);
    expect((await put(id, 'tasks/b/release')).status).toBe(204);
    await world.reaches(id, 'completed');
    expect((await call(`DELETE /api/plans/${id}/tasks/b/hold`)).status).toBe(400);
  });
});

describe('answers to questions', () => {
  const FORM =
    'plan: 1\nname: form\ntasks:\n' +
    '  q: { input: { prompt: "How old?", form: { age: { type: integer } } } }\n' +
    '  late: { needs: [q], approve: { prompt: x } }\n';

  test('values are refused for an option that takes none, and an outcome that takes them has them as outputs', async () => {
    const { call, created } = await api();
    const id = await created(
      'plan: 1\nname: none\ntasks:\n  ok: { approve: Go on? }\n  no: { run: exit 1, on_failure: hold }\n',
    );
    await world.reaches(id, 'awaiting_input');
    await until('both ask', async () => (await world.read(id)).questions.length === 2);
    const answer = (question: string, body: object) =>
      call(`POST /api/plans/${id}/questions/${question}/answer`, { body });
    const values = { whatever: [1] };
    for (const [question, choice] of [
      ['ok', 'approve'],
      ['ok.1', 'reject'],
      ['no', 'skip'],
    ] as const)
      expect(refusal(await answer(question, { choice, values }))).toEqual([
        422,
        'ANSWER_INVALID',
        expect.stringContaining(`values: "${choice}" takes none`),
      ]);
    expect((await answer('ok', { choice: 'maybe', values })).json.detail).toContain('"maybe" is not one of');
    expect((await answer('no', { choice: 'complete', values })).json).toMatchObject({ choice: 'complete', values });
    expect((await answer('no', { choice: 'complete', values })).json).toMatchObject({ choice: 'complete', values });
    expect((await answer('ok', { choice: 'approve', values: {} })).json).toMatchObject({ choice: 'approve' });
    await world.reaches(id, 'completed');
  });

  test('wrong values name the field, the right ones are taken once, and again give the first record (case 20)', async () => {
    const { call, put, created } = await api();
    const id = await created(FORM);
    await world.reaches(id, 'awaiting_input');
    const answer = (question: string, body: object) =>
      call(`POST /api/plans/${id}/questions/${question}/answer`, { body });
    for (const age of ['abc', '0x20']) {
      const wrong = await answer('q', { values: { age } });
      expect([wrong.status, wrong.json.code]).toEqual([422, 'ANSWER_INVALID']);
      expect(wrong.json.detail).toMatch(/values\.age/);
    }
    expect((await answer('nope', { choice: 'x' })).json).toMatchObject({ status: 404, code: 'QUESTION_NOT_FOUND' });
    expect(refusal(await answer('late', { choice: 'approve' }))).toEqual([
      409,
      'QUESTION_CLOSED',
      expect.stringMatching(/not open yet/),
    ]);
    const first = await answer('q.1', { values: { age: 41 } });
    expect(first.json).toMatchObject({ values: { age: 41 } });
    expect((await answer('q', { values: { age: 41 } })).json).toEqual(first.json);
    expect(refusal(await answer('q', { values: { age: 42 } }))).toEqual([
      409,
      'QUESTION_CLOSED',
      expect.stringMatching(new RegExp(`already answered .*41.* by ${first.json.by}`)),
    ]);
    await put(id, 'stop');
    await until('it has ended', async () => (await world.handle(id).describe()).status.name === 'FAILED');
    expect((await answer('q', { values: { age: 41 } })).json).toEqual(first.json);
    expect((await answer('late', { choice: 'approve' })).json).toMatchObject({ status: 409, code: 'QUESTION_CLOSED' });
  });

  test('an expired one says so (case 19)', async () => {
    const { call, created } = await api();
    const id = await created(
      'plan: 1\nname: late\ntasks:\n  ok: { approve: { prompt: x, timeout: 100ms, on_timeout: reject } }\n',
    );
    await until('it has ended', async () => (await world.read(id)).state.status === 'failed');
    const late = await call(`POST /api/plans/${id}/questions/ok.1/answer`, { body: { choice: 'approve' } });
    expect(refusal(late)).toEqual([409, 'QUESTION_CLOSED', expect.stringMatching(/expired|timed out|time/i)]);
  });
});

describe('decisions of several people', () => {
  const decide = (call: Awaited<ReturnType<typeof api>>['call'], id: string, question: string, choice: string) =>
    call(`POST /api/plans/${id}/questions/${question}/answer`, { body: { choice } });

  test('one decision lets through its own gate alone; one that names none is refused, and lists them (case 16)', async () => {
    const { call, put, created } = await api();
    const { mark, n } = witness();
    const id = await created(
      `plan: 1\nname: gates\ntasks:\n  g1: { approve: x }\n  g2: { approve: y }\n  a: { needs: g1, run: "${mark('a')}" }\n  b: { needs: g2, run: "${mark('b')}" }\n`,
    );
    await world.reaches(id, 'awaiting_input');
    expect(refusal(await put(id, 'approve'))).toEqual([
      422,
      'REQUEST_INVALID',
      expect.stringMatching(/more than one approval is open; name one of g1\.1, g2\.1/),
    ]);
    expect((await decide(call, id, 'g1', 'approve')).status).toBe(200);
    await until('a has run', async () => (await world.task(id, 'a')).status === 'succeeded');
    expect([(await world.read(id)).state.status, n('b')]).toEqual(['awaiting_input', 0]);
    expect((await decide(call, id, 'g2', 'reject')).status).toBe(200);
    const { tasks } = await until('it has ended', async () => {
      const view = await world.read(id);
      return view.state.status === 'failed' && view;
    });
    expect(tasks.map(({ status }) => status)).toEqual(['succeeded', 'failed', 'succeeded', 'cancelled']);
    expect([n('a'), n('b')]).toEqual([1, 0]);
  });

  test('of twenty at once one wins: the same again is told its record, the opposite is refused (case 17)', async () => {
    const { call, created } = await api();
    const { mark, n } = witness();
    const id = await created(
      `plan: 1\nname: pay\ntasks:\n  ok: { approve: x }\n  pay: { needs: ok, run: "${mark('pay')}" }\n`,
    );
    await world.reaches(id, 'awaiting_input');
    const choices = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? 'approve' : 'reject'));
    const answers = await Promise.all(choices.map((choice) => decide(call, id, 'ok.1', choice)));
    const won = answers.find(({ status }) => status === 200)!.json.choice;
    expect(answers.map(({ status }) => status)).toEqual(choices.map((choice) => (choice === won ? 200 : 409)));
    expect(new Set(answers.filter(({ status }) => status === 200).map(({ text }) => text)).size).toBe(1);
    await until('it has ended', async () => ['completed', 'failed'].includes((await world.read(id)).state.status));
    expect(n('pay')).toBe(won === 'approve' ? 1 : 0);
  });

  test('one that comes before its question is refused, never taken and then lost (case 18)', async () => {
    const { call, put, created } = await api();
    const { path } = witness();
    const id = await created(
      `plan: 1\nname: early\ntasks:\n  a: { run: "until test -f ${path('go')}; do sleep 0.05; done" }\n  ok: { needs: a, approve: x }\n`,
    );
    expect(refusal(await decide(call, id, 'ok', 'approve'))).toEqual([
      409,
      'QUESTION_CLOSED',
      expect.stringMatching(/not open yet/),
    ]);
    expect((await decide(call, id, 'ok.1', 'approve')).status).toBe(404);
    writeFileSync(path('go'), '');
    await world.reaches(id, 'awaiting_input');
    expect((await put(id, 'approve')).status).toBe(204);
    await world.reaches(id, 'completed');
  });
});

test('what waits for people or for time takes no slot from what could run (case 39)', async () => {
  const { put, created } = await api();
  const { mark, n } = witness();
  const id = await created(
    `plan: 1\nname: slots\nmax_parallel: 1\ntasks:\n  ask: { approve: x }\n  rest: { wait: 1h }\n  failing: { run: "exit 1", retry: { max_attempts: 2, delay: 1h } }\n  b: { run: "${mark('b')}" }\n`,
  );
  await until('b has run', () => n('b') === 1);
  expect((await put(id, 'stop')).status).toBe(204);
});
