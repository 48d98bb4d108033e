import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fileStores } from '../../src/activities/stores.ts';
import type { RunPreview, RunRequest } from '../../src/service/next-run.ts';
import { recordPlace } from '../../src/service/place.ts';
import { createService } from '../../src/service/service.ts';
import { caller, startWorld, tempDir, until, witness } from '../support/world.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  await world.stop();
});

const nextRun = (id: string, request: Partial<RunRequest> = {}) =>
  world.service.nextRun(caller, id, { mode: 'resume', ...request });
const preview = async (id: string, request: Partial<RunRequest> = {}) =>
  (await nextRun(id, { ...request, dry_run: true })) as RunPreview;
/** What the tasks of a plan that has ended are, but for those that simply succeeded in this run. */
const reusedIn = (view: Awaited<ReturnType<typeof world.read>>) =>
  view.tasks.flatMap(({ id, reused }) => (reused ? [id] : []));

describe('an edited plan', () => {
  const text = (w: ReturnType<typeof witness>, { n = 1, last = 'false', a = 'a' } = {}) => `
plan: 1
name: edit
inputs: { n: { type: integer, default: ${n} } }
tasks:
  ${a}: { run: "${w.mark('a')}; echo \${{ inputs.n }}" }
  b: { needs: [${a}], run: "${w.mark('b')}; ${last}" }
  c: { run: "${w.mark('c')}" }
`;

  test('runs what changed and what depends on it, and says so first (case 15)', async () => {
    const w = witness();
    const id = await world.create(text(w));
    await world.reaches(id, 'failed');
    const edit = text(w, { n: 2, last: 'true' });
    expect(await preview(id, { plan: edit })).toEqual({
      plan_id: id,
      dry_run: true,
      reuse: ['c'],
      run: ['a', 'b'],
      reasons: {
        a: 'its definition, its inputs or something it needs has changed',
        b: 'it had not succeeded',
        c: 'it succeeded, and nothing that it depends on has changed',
      },
    });
    expect((await world.read(id)).state.status).toBe('failed');
    await nextRun(id, { plan: edit });
    const view = await world.reaches(id, 'completed');
    expect([w.n('a'), w.n('b'), w.n('c')]).toEqual([2, 2, 1]);
    expect(reusedIn(view)).toEqual(['c']);
    expect(view.tasks[0]).toMatchObject({
      outputs: { stdout: '2' },
      reason: 'it runs again: its definition, its inputs or something it needs has changed',
    });
  });

  test('in another order and with comments it is the same; a renamed task is new (case 15)', async () => {
    const w = witness();
    const id = await world.create(text(w));
    await world.reaches(id, 'failed');
    const written = text(w).replace('{ run: "', '{ # a comment\n    run: "').replace('tasks:', '# another\ntasks:');
    expect((await preview(id, { plan: written })).reuse).toEqual(['a', 'c']);
    const renamed = await preview(id, { plan: text(w, { a: 'first' }) });
    expect(renamed.reuse).toEqual(['c']);
    expect(renamed.reasons.first).toBe('it is new in the plan');
  });

  test('inputs that were given are kept, unless given anew; what they change runs again', async () => {
    const w = witness();
    const id = await world.create(text(w), { inputs: { n: 7 } });
    await world.reaches(id, 'failed');
    expect((await preview(id, { plan: text(w, { n: 2 }) })).reuse).toEqual(['a', 'c']);
    expect((await preview(id, { inputs: { n: 7 } })).reuse).toEqual(['a', 'c']);
    expect((await preview(id, { inputs: { n: 8 } })).reuse).toEqual(['c']);
    await nextRun(id, { plan: text(w, { last: 'true' }), inputs: { n: 8 } });
    const view = await world.reaches(id, 'completed');
    expect(view.tasks[0]!.outputs).toMatchObject({ stdout: '8' });
  });

  test.each([
    ['inputs: { m: { type: string } }', {}, /the input "m" is missing; give it a value/],
    ['inputs: { n: { type: boolean } }', {}, /the value it had in the run before is wrong: the number 7/],
    ['inputs: { n: { type: integer } }', { m: 1 }, /the plan has no input "m"/],
    ['inputz: {}', {}, /inputz/],
  ])('%s with %j is told as at creation', async (inputs, given, message) => {
    const id = await world.create(text(witness()), { inputs: { n: 7 } });
    await world.reaches(id, 'failed');
    const plan = `plan: 1\nname: e\n${inputs}\ntasks: { a: { run: "true" } }\n`;
    const refused = await nextRun(id, { plan, inputs: given }).catch((fault: unknown) => fault);
    expect(refused).toMatchObject({ code: 'PLAN_INVALID', errors: [{ message: expect.stringMatching(message) }] });
    expect((await world.read(id)).run).toBe(1);
  });

  test('its name and labels may be others', async () => {
    const id = await world.create('plan: 1\nname: old\nlabels: { team: a }\ntasks: { a: { run: "false" } }\n');
    await world.reaches(id, 'failed');
    await nextRun(id, { plan: 'plan: 1\nname: new\nlabels: { team: b }\ntasks: { a: { run: "true" } }\n' });
    expect(await world.reaches(id, 'completed')).toMatchObject({ name: 'new', run: 2 });
    const listed = await until('it is listed', async () =>
      (await world.service.list(caller, { labels: ['team=b'] })).plans.find(({ plan_id }) => plan_id === id),
    );
    expect(listed).toMatchObject({ name: 'new' });
  });

  test('whoever may not make plans may resume one, but not edit it', async () => {
    const id = await world.create('plan: 1\nname: p\ntasks: { a: { run: "false" } }\n');
    await world.reaches(id, 'failed');
    const approver = { ...caller, permissions: ['plan:approve', 'plan:run_commands'] as const };
    const edit = { mode: 'resume', plan: 'plan: 1\nname: p\ntasks: { a: { run: "true" } }\n' } as const;
    await expect(world.service.nextRun(approver, id, edit)).rejects.toMatchObject({ code: 'PLAN_FORBIDDEN' });
    await world.service.nextRun(approver, id, { mode: 'resume' });
  });
});

describe('from a task on', () => {
  const text = (w: ReturnType<typeof witness>) => `
plan: 1
name: from
tasks:
  a: { run: "${w.mark('a')}" }
  b: { needs: [a], run: "${w.mark('b')}; echo $HOLDPOINT_IDEMPOTENCY_KEY >> ${w.path('keys')}" }
  c: { needs: [b], run: "${w.mark('c')}" }
  x: { run: "${w.mark('x')}" }
  m: { map: { in: [1, 2], as: n, task: { run: "true" } } }
  z: { needs: [c, x, m], run: "test -f ${w.path('ok')}" }
finally: { run: "true" }
`;

  test('it and what depends on it run again, everything else is kept', async () => {
    const w = witness();
    const id = await world.create(text(w));
    await world.reaches(id, 'failed');
    writeFileSync(w.path('ok'), '');
    const told = await preview(id, { from: 'b' });
    expect([told.reuse, told.run]).toEqual([
      ['a', 'x', 'm'],
      ['b', 'c', 'z'],
    ]);
    expect(told.reasons).toMatchObject({ b: 'it was asked to run again', c: 'it needs b, which runs again' });
    await nextRun(id, { from: 'b' });
    const view = await world.reaches(id, 'completed');
    expect(['a', 'b', 'c', 'x'].map(w.n)).toEqual([1, 2, 2, 1]);
    expect(view.progress).toEqual({ done: 6, total: 6, percentage: 100 });
    // Another request to whoever gets it: the key of the first would have it dropped.
    expect(new Set(readFileSync(w.path('keys'), 'utf8').trim().split('\n')).size).toBe(2);
  });

  test.each([
    ['d', 'TASK_NOT_FOUND', 'there is no task "d" in this plan'],
    ['m[3]', 'REQUEST_INVALID', 'from: m[3] is inside m, which can only run again whole: give from: m'],
    ['finally', 'REQUEST_INVALID', 'from: finally runs when the plan ends; name a task of the plan itself'],
  ])('%s: %s', async (from, code, message) => {
    const id = await world.create(text(witness()));
    await world.reaches(id, 'failed');
    await expect(nextRun(id, { from })).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
    await expect(nextRun(id, { mode: 'retry', from: 'a' })).rejects.toMatchObject({ code: 'REQUEST_INVALID' });
  });
});

describe('what did not succeed', () => {
  test('a failed optional branch is not run again, unless it is named', async () => {
    const w = witness();
    const id = await world.create(`
plan: 1
name: optional
tasks:
  opt: { run: "${w.mark('opt')}; false", on_failure: continue }
  after: { needs: [opt], run: "${w.mark('after')}" }
  only: { needs: [opt], if: "tasks.opt.status == 'succeeded'", run: "${w.mark('only')}" }
  beside: { needs: [only], if: "tasks.only.status == 'skipped'", run: "${w.mark('beside')}" }
  z: { needs: [after], run: "test -f ${w.path('ok')}" }
`);
    await world.reaches(id, 'failed');
    await nextRun(id);
    const view = await world.reaches(id, 'failed');
    expect(view.tasks.slice(0, 4)).toMatchObject([
      { id: 'opt', status: 'failed', reused: true, error: { message: 'exit code 1' } },
      { id: 'after', status: 'succeeded', reused: true },
      { id: 'only', status: 'skipped' },
      { id: 'beside', status: 'succeeded', reused: true },
    ]);
    expect(['opt', 'after', 'only', 'beside'].map(w.n)).toEqual([1, 1, 0, 1]);
    writeFileSync(w.path('ok'), '');
    await nextRun(id, { from: 'opt' });
    await world.reaches(id, 'completed');
    expect(['opt', 'after', 'only', 'beside'].map(w.n)).toEqual([2, 2, 0, 2]);
  });

  test('what somebody decided to skip stays skipped, and what was answered is not asked again', async () => {
    const w = witness();
    const id = await world.create(`
plan: 1
name: decided
tasks:
  flaky: { run: "${w.mark('flaky')}; false", on_failure: hold }
  ok: { approve: Go? }
  z: { needs: [ok], run: "test -f ${w.path('ok')}" }
`);
    await world.reaches(id, 'awaiting_input');
    await until('both ask', async () => (await world.read(id)).questions.length === 2);
    await world.command(id, 'answer', { question: 'flaky', choice: 'skip' });
    await world.command(id, 'answer', { question: 'ok', choice: 'approve' });
    await world.reaches(id, 'failed');
    writeFileSync(w.path('ok'), '');
    await nextRun(id);
    const view = await world.reaches(id, 'completed');
    expect(view.tasks).toMatchObject([
      { id: 'flaky', status: 'skipped', reused: true },
      { id: 'ok', status: 'succeeded', reused: true, answer: { choice: 'approve' } },
      { id: 'z', status: 'succeeded' },
    ]);
    expect(w.n('flaky')).toBe(1);
    const questions = (await world.service.events(caller, id, 0)).filter(({ type }) => type === 'QuestionOpened');
    expect(questions).toHaveLength(2);
  });

  test('what waited for a failed task runs once it has succeeded (case 7)', async () => {
    const w = witness();
    const id = await world.create(`
plan: 1
name: blocked
tasks:
  a: { needs: [d], run: "test -f ${w.path('ok')}" }
  b: { needs: [a], run: "${w.mark('b')}" }
  c: { needs: [b], run: "${w.mark('c')}" }
  d: { run: "${w.mark('d')}" }
`);
    await world.reaches(id, 'failed');
    writeFileSync(w.path('ok'), '');
    await nextRun(id);
    expect(await world.reaches(id, 'completed')).toMatchObject({ error: null });
    expect(['b', 'c', 'd'].map(w.n)).toEqual([1, 1, 1]);
  });

  test('how far it is goes on from where it was, over three runs whose story is one', async () => {
    const w = witness();
    const steps = [1, 2, 3].map(
      (n) => `  g${n}: { needs: [a${n}], run: "test -f ${w.path(`ok${n}`)}" }
  a${n}: { ${n > 1 ? `needs: [g${n - 1}], ` : ''}run: "${w.mark(`a${n}`)}" }`,
    );
    const id = await world.create(`plan: 1\nname: far\ntasks:\n${steps.join('\n')}\n`);
    const seen: number[] = [];
    for (const n of [1, 2, 3]) {
      await world.reaches(id, 'failed');
      writeFileSync(w.path(`ok${n}`), '');
      await nextRun(id);
      for (let view = await world.read(id); ; view = await world.read(id)) {
        if (view.freshness.live && view.run === n + 1) seen.push(view.progress_percentage);
        if (view.state.status !== 'executing') break;
      }
    }
    await world.reaches(id, 'completed');
    seen.push((await world.read(id)).progress_percentage);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect([seen[0]! >= 16, seen.at(-1)]).toEqual([true, 100]);
    const { entries } = await world.service.timeline(caller, id, { after: 0 });
    expect(entries.map((entry) => ('seq' in entry ? entry.seq : 0))).toEqual(entries.map((_, i) => i + 1));
    expect(entries.filter(({ type }) => type === 'RunStarted')).toHaveLength(3);
    expect(entries.filter(({ type }) => type === 'PlanFailed')).toHaveLength(3);
  });
});

test('before a worker has begun the next run, it stands where the run before left it', async () => {
  const id = await world.create('plan: 1\nname: p\ntasks:\n  a: { run: "true" }\n  b: { needs: [a], run: "false" }\n');
  await world.reaches(id, 'failed');
  await world.stopWorker();
  await nextRun(id);
  const view = await world.read(id);
  expect(view).toMatchObject({ run: 2, progress: { done: 1, total: 2, percentage: 50 }, freshness: { live: false } });
  await world.startWorker();
  await until('it has failed again', async () => (await world.read(id)).freshness.live);
});

describe('a plan stopped before it was through (case 41)', () => {
  const text = (w: ReturnType<typeof witness>) =>
    `plan: 1\nname: stopped\ntasks:\n  a: { run: "${w.mark('a')}; until test -f ${w.path('go')}; do sleep 0.05; done" }\n  b: { needs: [a], run: "${w.mark('b')}" }\n`;

  test.each([
    ['while it is reviewed', { review: 'required' as const }],
    ['before its start time', { start_at: new Date(Date.now() + 3_600_000).toISOString() }],
  ])('%s: its next run does all of it', async (_, more) => {
    for (const mode of ['resume', 'retry'] as const) {
      const w = witness();
      writeFileSync(w.path('go'), '');
      const id = await world.create(text(w), more);
      await world.command(id, 'stop');
      await world.reaches(id, 'stopped');
      expect(await preview(id, { mode })).toMatchObject({ reuse: [], run: ['a', 'b'] });
      await nextRun(id, { mode });
      await world.reaches(id, 'completed');
      expect([w.n('a'), w.n('b')]).toEqual([1, 1]);
    }
  });

  test('between two tasks: what is missing runs', async () => {
    const w = witness();
    const id = await world.create(text(w));
    await until('a has begun', () => w.n('a') === 1);
    await world.command(id, 'hold', { task: 'b' });
    writeFileSync(w.path('go'), '');
    await world.reaches(id, 'awaiting_input');
    await world.command(id, 'stop');
    await world.reaches(id, 'stopped');
    await nextRun(id);
    await world.reaches(id, 'completed');
    expect([w.n('a'), w.n('b')]).toEqual([1, 1]);
    for (const mode of ['resume', 'retry'] as const)
      await expect(nextRun(id, { mode })).rejects.toMatchObject({ code: 'PLAN_NOT_RESUMABLE' });
  });

  test.each(['resume', 'retry'] as const)('in its first moments: a %s does what is missing', async (mode) => {
    const w = witness();
    const id = await world.create(text(w));
    await world.command(id, 'stop');
    await world.reaches(id, 'stopped');
    const begun = w.n('a');
    expect(begun).toBeLessThanOrEqual(1);
    writeFileSync(w.path('go'), '');
    await nextRun(id, { mode });
    await world.reaches(id, 'completed');
    expect([w.n('a'), w.n('b')]).toEqual([begun + 1, 1]);
  });

  test.each(['resume', 'retry'] as const)('in the line of its group: a %s stands in line again', async (mode) => {
    const [holder, w] = [witness(), witness()];
    const inGroup = (text: string) => text.replace('tasks:', `concurrency: { group: line-${mode}, max: 1 }\ntasks:`);
    const first = await world.create(inGroup(text(holder)));
    await until('the slot is taken', () => holder.n('a') === 1);
    const id = await world.create(inGroup(text(w)));
    await world.reaches(id, 'stand_by');
    await world.command(id, 'stop');
    await world.reaches(id, 'stopped');
    writeFileSync(w.path('go'), '');
    await nextRun(id, { mode });
    await world.reaches(id, 'stand_by');
    expect(w.n('a')).toBe(0);
    writeFileSync(holder.path('go'), '');
    await world.reaches(id, 'completed');
    expect([w.n('a'), w.n('b')]).toEqual([1, 1]);
    await world.reaches(first, 'completed');
  });

  test('one that runs has no next run', async () => {
    const w = witness();
    const id = await world.create(text(w));
    await until('a has begun', () => w.n('a') === 1);
    await expect(nextRun(id, { dry_run: true })).rejects.toMatchObject({ code: 'PLAN_NOT_RESUMABLE' });
    await world.command(id, 'stop');
  });
});

describe('what is gone', () => {
  const big = (w: ReturnType<typeof witness>) =>
    `
plan: 1
name: gone
tasks:
  big: { run: "${w.mark('big')}; head -c 100000 /dev/zero | tr '\\\\0' x" }
  size: { needs: [big], run: "printf %s \${{ tasks.big.outputs.stdout }} | wc -c" }
  z: { needs: [size], run: "test -f ${w.path('ok')}; printf %s \${{ tasks.big.outputs.stdout }} | wc -c", if: "size(tasks.big.outputs.stdout) > 0" }
`.replace('needs: [size], run: "test', 'needs: [size, big], run: "test');
  const artifactFile = async (id: string) => {
    const { sha256 } = (await world.service.artifacts(caller, id)).find(({ task }) => task === 'big')!;
    return join(world.home, 'artifacts', sha256.slice(0, 2), sha256);
  };

  test.each([
    ['gone', (path: string) => rmSync(path)],
    ['changed', (path: string) => writeFileSync(path, 'other')],
  ])('a stored output that is %s is made again, and the dry run says so', async (_, spoil) => {
    const w = witness();
    const id = await world.create(big(w));
    await world.reaches(id, 'failed');
    const path = await artifactFile(id);
    expect((await preview(id)).reuse).toEqual(['big', 'size']);
    spoil(path);
    writeFileSync(w.path('ok'), '');
    const told = await preview(id);
    expect([told.run, told.reuse]).toEqual([['big', 'z'], ['size']]);
    expect(told.reasons.big).toBe('what it stored is gone or changed: stdout');
    await nextRun(id);
    const view = await world.reaches(id, 'completed');
    expect(w.n('big')).toBe(2);
    expect(view.tasks[2]!.outputs).toMatchObject({ stdout: '100000' });
  });

  const made = (w: ReturnType<typeof witness>) =>
    `plan: 1\nname: dir\ntasks:\n  gen: { run: "${w.mark('gen')}; echo 1 > out.txt", outputs: [out.txt] }\n  plain: { run: "${w.mark('plain')}" }\n  z: { needs: [gen, plain], run: "test -f ${w.path('ok')} && cat out.txt" }\n`;

  test('the plan’s own directory is made anew, and the story says so', async () => {
    const w = witness();
    const id = await world.create(made(w));
    await world.reaches(id, 'failed');
    rmSync(join(world.home, 'runs', id), { recursive: true });
    writeFileSync(w.path('ok'), '');
    await nextRun(id);
    const view = await world.reaches(id, 'completed');
    expect([w.n('gen'), w.n('plain')]).toEqual([2, 1]);
    expect(view.tasks[2]!.outputs).toMatchObject({ stdout: '1' });
    const started = (await world.service.events(caller, id, 0)).find(({ type }) => type === 'RunStarted');
    expect(started).toMatchObject({ message: 'the directory of the plan was gone; it goes on in a fresh one' });
  });

  test('a directory that the plan was given has to be put back first', async () => {
    const w = witness();
    const directory = tempDir('place');
    const id = await world.create(made(w), { place: { ...recordPlace(process.env), directory } });
    await world.reaches(id, 'failed');
    renameSync(directory, `${directory}.away`);
    await expect(nextRun(id)).rejects.toMatchObject({
      code: 'PLAN_NOT_RESUMABLE',
      message: `the directory of the plan is gone: ${directory}; put it back first`,
    });
    renameSync(`${directory}.away`, directory);
    expect((await preview(id)).reuse).toEqual(['gen', 'plain']);
  });
});

describe('retry', () => {
  test('nothing is kept but the logs; what was stored is the plan’s no longer', async () => {
    const w = witness();
    const id = await world.create(
      `plan: 1\nname: r\ntasks:\n  big: { run: "${w.mark('big')}; test $(wc -l < ${w.path('big')}) -gt 1 || head -c 100000 /dev/zero | tr '\\\\0' x" }\n  z: { needs: [big], run: "test -f ${w.path('ok')}" }\n`,
    );
    await world.reaches(id, 'failed');
    const [artifact] = await world.service.artifacts(caller, id);
    writeFileSync(w.path('ok'), '');
    await nextRun(id, { mode: 'retry', model_profile: 'premium' });
    await world.reaches(id, 'completed');
    expect(w.n('big')).toBe(2);
    expect(await world.service.artifacts(caller, id)).toEqual([]);
    await expect(world.service.artifact(caller, id, artifact!.sha256)).rejects.toMatchObject({
      code: 'OUTPUT_NOT_FOUND',
    });
    expect(readdirSync(join(world.home, 'artifacts', 'plans'))).not.toContain(id);
    const logs = await world.service.logs(caller, id);
    expect(new Set(logs.map(({ run }) => run))).toEqual(new Set([1, 2]));
    const [started] = await world.history(id);
    const input = started!.workflowExecutionStartedEventAttributes!.input!.payloads![0]!.data!;
    expect(JSON.parse(Buffer.from(input).toString())).toMatchObject({ model_profile: 'premium' });
  });

  test.each([
    [{ mode: 'retry' as const, model_profile: '../x' }, /model_profile: a profile is named with/],
    [{ mode: 'resume' as const, model_profile: 'premium' }, /model_profile: a resume keeps to the models/],
  ])('%j is refused', async (request, message) => {
    const id = await world.create('plan: 1\nname: p\ntasks: { a: { run: "false" } }\n');
    await world.reaches(id, 'failed');
    await expect(nextRun(id, request)).rejects.toMatchObject({
      code: 'REQUEST_INVALID',
      message: expect.stringMatching(message),
    });
  });
});

test('the same request again starts no second run, and is answered the same', async () => {
  const id = await world.create('plan: 1\nname: p\ntasks: { a: { run: "false" } }\n');
  await world.reaches(id, 'failed');
  const answers = [await nextRun(id, { request_id: 'one' }), await nextRun(id, { request_id: 'one' })];
  expect(answers).toEqual([
    { plan_id: id, mode: 'resume', resume_count: 1 },
    { plan_id: id, mode: 'resume', resume_count: 1 },
  ]);
  await world.reaches(id, 'failed');
  expect(await nextRun(id, { request_id: 'one' })).toEqual({ plan_id: id, mode: 'resume', resume_count: 1 });
  expect((await world.read(id)).run).toBe(2);
});

describe('what the run before left cannot be read', () => {
  /** Temporal as it is, but for what the last event of a history holds. */
  const spoilt = (data: Uint8Array) => {
    const { workflowService } = world.client;
    const service = Object.assign(Object.create(workflowService), {
      async getWorkflowExecutionHistory(request: { historyEventFilterType?: number }) {
        const answer = await workflowService.getWorkflowExecutionHistory(request);
        if (request.historyEventFilterType !== 2) return answer;
        const ending = answer.history!.events!.at(-1)!.workflowExecutionFailedEventAttributes!;
        ending.failure!.applicationFailureInfo!.details!.payloads![0]!.data = data;
        return answer;
      },
    });
    const connection = Object.create(world.client.connection, { workflowService: { value: service } });
    return createService(new Client({ connection }), fileStores(world.home));
  };

  test.each([
    ['cut off', '{"schema_version":1,"run":'],
    ['not packed as it should be', '{"packed":"AAAA"}'],
    ['of another version', '{"schema_version":9}'],
    ['without its tasks', JSON.stringify({ schema_version: 1, run: 1, tasks: null })],
  ])('%s: that is told at once, and nothing is started', async (_, text) => {
    const id = await world.create('plan: 1\nname: p\ntasks: { a: { run: "false" } }\n');
    await world.reaches(id, 'failed');
    for (const more of [{}, { dry_run: true }])
      await expect(spoilt(Buffer.from(text)).nextRun(caller, id, { mode: 'resume', ...more })).rejects.toMatchObject({
        code: 'PLAN_NOT_RESUMABLE',
        message: expect.stringContaining('what its last run left cannot be read'),
      });
    expect(await world.read(id)).toMatchObject({ run: 1, state: { status: 'failed' } });
  });
});

test('a sub-plan goes on where it was, without its failure that does not matter; asked for, it runs again whole', async () => {
  const w = witness();
  const id = await world.create(`
plan: 1
name: within
tasks:
  sub:
    plan:
      tasks:
        opt: { run: "${w.mark('opt')}; echo $HOLDPOINT_IDEMPOTENCY_KEY >> ${w.path('keys')}; false", on_failure: continue }
        a: { run: "${w.mark('a')}" }
        z: { needs: [opt, a], run: "test -f ${w.path('ok')}" }
  last: { needs: [sub], run: "test -f ${w.path('last')}" }
`);
  await world.reaches(id, 'failed');
  writeFileSync(w.path('ok'), '');
  await nextRun(id);
  await world.reaches(id, 'failed');
  expect([w.n('opt'), w.n('a')]).toEqual([1, 1]);
  expect((await preview(id)).reuse).toEqual(['sub']);
  writeFileSync(w.path('last'), '');
  await nextRun(id, { from: 'sub' });
  await world.reaches(id, 'completed');
  expect([w.n('opt'), w.n('a')]).toEqual([2, 2]);
  expect(new Set(readFileSync(w.path('keys'), 'utf8').trim().split('\n')).size).toBe(2);
});

test('of a map that was stopped, items whose failure does not matter are not tried again', async () => {
  const w = witness();
  const id = await world.create(`
plan: 1
name: items
tasks:
  each:
    map:
      in: [1, 2, 3, 4]
      as: n
      max_parallel: 1
      task: { run: "echo x >> ${w.dir}/i\${{ n }}; case \${{ n }} in 2) exit 1;; 3) until test -f ${w.path('go')}; do sleep 0.05; done;; esac", on_failure: continue }
`);
  await until('the third has begun', () => w.n('i3') === 1);
  await world.command(id, 'stop');
  await world.reaches(id, 'stopped');
  writeFileSync(w.path('go'), '');
  await nextRun(id);
  const view = await world.reaches(id, 'completed');
  expect(['i1', 'i2', 'i3', 'i4'].map(w.n)).toEqual([1, 1, 2, 1]);
  expect(view.tasks[0]!.outputs).toMatchObject({ total: 4, succeeded: 3, failed: 1 });
});

test('a plan of ten thousand tasks goes on where it failed', async () => {
  const w = witness();
  // What such a run leaves is more than a payload may be, until it is packed.
  const name = (i: number) => `value-${i}-of-a-plan-with-very-many-and-long-names`;
  const values = Array.from({ length: 9_990 }, (_, i) => `  ${name(i)}: { set: { n: ${i} } }`).join('\n');
  const id = await world.create(
    `plan: 1\nname: wide\ntasks:\n${values}\n  a: { needs: [${name(0)}, ${name(9_989)}], run: "${w.mark('a')}; test -f ${w.path('ok')}" }\n`,
  );
  await world.reaches(id, 'failed', 60_000);
  writeFileSync(w.path('ok'), '');
  await nextRun(id);
  const { progress } = await world.reaches(id, 'completed', 60_000);
  expect([progress, w.n('a')]).toEqual([{ done: 9_991, total: 9_991, percentage: 100 }, 2]);
}, 180_000);

test('of a failed plan, why it failed is told without any worker, too', async () => {
  const id = await world.create('plan: 1\nname: p\ntasks: { a: { run: "echo because >&2; exit 3" } }\n');
  await world.reaches(id, 'failed');
  await world.stopWorker();
  try {
    const { state, error, freshness } = await world.read(id);
    expect([state.status, freshness.live, error]).toEqual([
      'failed',
      false,
      { code: 'PLAN_FAILED', message: 'exit code 3: because' },
    ]);
  } finally {
    await world.startWorker();
  }
});
