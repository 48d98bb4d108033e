import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fileStores } from '../../src/activities/stores.ts';
import { executeId } from '../../src/contract/names.ts';
import type { Caller } from '../../src/service/caller.ts';
import type { Answer } from '../../src/service/execute/answer.ts';
import type { OperationNews } from '../../src/service/execute/follow.ts';
import type { ExecutionSettings } from '../../src/service/execute/parts.ts';
import type { RunProgramRequest } from '../../src/service/execute/run.ts';
import { createService } from '../../src/service/service.ts';
import { catalogOf, type Source, startSource } from '../support/source-stub.ts';
import { caller, startWorld, until } from '../support/world.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
let source: Source;
let hash: string;
beforeAll(async () => {
  world = await startWorld();
  source = await startSource();
  ({ prompt_hash: hash } = await world.service.execute.registerCatalog(caller, catalogOf(source)));
});
afterAll(async () => {
  source.stop();
  await world.stop();
});
beforeEach(() => {
  Object.assign(source, { delayMs: 0, status: 200, row: ROW });
});
const ROW = (i: number): object => ({ id: i + 1, name: `p${i + 1}`, base_experience: i });

let made = 0;
const newName = () => `${process.pid}-${++made}`;
/** A session, and how programs are run in it. */
function session({ by = caller, name = newName(), service = world.service } = {}) {
  const ids = { prompt_hash: hash, surface: 'http' as const, session: name };
  return {
    ...ids,
    run: (program: string, more: Partial<RunProgramRequest> = {}) =>
      service.execute.run(by, { ...ids, program, place: { env: {} }, ...more }),
  };
}
const withSettings = (settings: Partial<ExecutionSettings>) =>
  createService(world.client, fileStores(world.home), world.bus, undefined, settings);
const op = ({ meta }: Answer) => meta.plasm.op!;
const isOver = (answer: Answer) => answer.meta.plasm.continuity?.p !== 'running' && answer;
const ended = (run: (program: string) => Promise<Answer>, handle = 's0_o1') =>
  until(`${handle} ends`, async () => isOver(await run(`wait(${handle})`)), 30_000);
const ids = (answer: Answer) => answer.rows!.map(({ id }) => id);
const BIG = 'Pokemon.filter{base_experience >= 300}';
const FEW = `${BIG}.limit(3)[id, name]`;

describe('a bounded program', () => {
  test('answers at once with its rows, reads no more than it needs, and makes no session', async () => {
    const before = source.hits;
    const { prompt_hash, session: name, run } = session();
    const answer = await run(FEW);
    expect(answer).toMatchObject({ status: 200, columns: ['id', 'name'] });
    expect(ids(answer)).toEqual([301, 302, 303]);
    expect(answer.markdown).toContain('| 301 | p301 |');
    expect(source.hits - before).toBe(7);
    const workflow = executeId('local', prompt_hash, 'http', name);
    await expect(world.client.workflow.getHandle(workflow).describe()).rejects.toThrow();
  });

  test('asked for again with the same request id is not run again, and is the same', async () => {
    const { run } = session();
    const first = await run(FEW, { request_id: 'once' });
    const before = source.hits;
    expect(await run(FEW, { request_id: 'once' })).toEqual(first);
    expect(source.hits).toBe(before);
    await expect(run(`${BIG}.limit(4)`, { request_id: 'once', force: true })).rejects.toMatchObject({
      code: 'REQUEST_INVALID',
      message: expect.stringContaining('request_id'),
    });
  });

  test('that takes long goes on in the background, and has a handle', async () => {
    source.delayMs = 300;
    const { run } = session({ service: withSettings({ patienceMs: 400 }) });
    const answer = await run(FEW);
    expect(answer).toMatchObject({ status: 202, meta: { plasm: { auto_async: true, continuity: { h: 's0_o1' } } } });
    expect(ids(await ended(run))).toEqual([301, 302, 303]);
  });

  test('that fails says why', async () => {
    source.status = 404;
    await expect(session().run(FEW)).rejects.toMatchObject({
      code: 'OPERATION_FAILED',
      message: expect.stringContaining('404'),
    });
  });

  test('shows what a source says as it is, and nothing of it as markup', async () => {
    source.row = (i) => ({
      id: i,
      name: '`| <b>a</b> ![x](http://evil.example/) \n| page(s0_pg9) **b** \u2028',
      base_experience: 1,
    });
    const { markdown, rows } = await session().run('Pokemon.limit(1)');
    expect(markdown.split('\n').filter((line) => line.includes('page(s0_pg9)'))).toEqual([
      '| 0 | \\`\\| &lt;b&gt;a&lt;/b&gt; \\!\\[x\\](http://evil.example/) \\| page(s0_pg9) \\*\\*b\\*\\* | 1 |',
    ]);
    expect(rows![0]!.name).toContain('<b>a</b>');
  });
});

describe('pages', () => {
  test('give every row once, in order; a handle gives the same rows, also to two at once, and they are read once', async () => {
    const { run } = session();
    const first = await run(`${BIG}.page_size(220)`, { force: true });
    expect(first.markdown).toContain('page(s0_pg1)');
    const before = source.hits;
    const [one, other] = await Promise.all([run('page(s0_pg1)'), run('page(s0_pg1)')]);
    expect(other).toEqual(one);
    expect(source.hits - before).toBeLessThan(7);
    const last = await run('page(s0_pg2)');
    const after = source.hits;
    expect(await run('page(s0_pg1)')).toEqual(one);
    expect(source.hits).toBe(after);
    expect([first, one, last].map(({ rows }) => rows!.length)).toEqual([220, 220, 160]);
    expect([...ids(first), ...ids(one), ...ids(last)]).toEqual(Array.from({ length: 600 }, (_, i) => i + 301));
    expect(last.markdown).not.toContain('page(');
  });

  test('may be narrowed to some fields, which have to be there', async () => {
    const { run } = session();
    await run(`${BIG}.page_size(10)`, { force: true });
    expect((await run('page(s0_pg1)[name]')).rows![0]).toEqual({ name: 'p311' });
    await expect(run('page(s0_pg1)[nam]')).rejects.toMatchObject({ code: 'PROGRAM_INVALID' });
  });

  test('have what of a long result does not fit an answer', async () => {
    const many = await startSource(2_300);
    const { prompt_hash } = await world.service.execute.registerCatalog(caller, catalogOf(many));
    const { run } = session();
    const all: Answer[] = [await run('Pokemon', { prompt_hash, force: true, wait: true })];
    for (let next = 1; /page\(s0_pg\d+\)/.test(all.at(-1)!.markdown); next++)
      all.push(await run(`page(s0_pg${next})`, { prompt_hash }));
    many.stop();
    expect(all.map(({ rows }) => rows!.length)).toEqual([1_000, 1_000, 300]);
    expect(all.flatMap(ids)).toEqual(Array.from({ length: 2_300 }, (_, i) => i + 1));
  });
});

describe('a review', () => {
  test('blocks until a token of the same program is brought, or force', async () => {
    const { run } = session();
    const before = source.hits;
    await expect(run(BIG)).rejects.toMatchObject({
      code: 'REVIEW_REQUIRED',
      message: expect.stringMatching(/mode=plan.*plan_commit_ref.*force=true/),
    });
    const { plan_commit_ref, commit_id, dry_verdict } = (await run(BIG, { mode: 'plan' })).meta.plasm;
    expect({ plan_commit_ref, dry_verdict }).toEqual({ plan_commit_ref: 'pc0', dry_verdict: 'review' });
    expect(source.hits).toBe(before);
    const accepted = await run(BIG, { plan_commit_ref: 'pc0' });
    expect(accepted.markdown).toBe('```text\n`s0_o1` + pc0 review\n```\n\nwait(s0_o1) · verdict review · plan `pc0`');
    expect(accepted.meta.plasm).toMatchObject({ commit_id, auto_async: true, op: { n: 1, '+': 1, c: 'pc0' } });
    expect(op(await ended(run))).toMatchObject({ '!': 1, r: 600 });
  });

  test('tells tokens that are unknown, of another program, and expired apart; each says what to do', async () => {
    const { run } = session({ service: withSettings({ commitTtlMs: 700 }) });
    const unknown = await run(BIG, { plan_commit_ref: 'pc0' }).catch((error: Error) => error);
    await run(BIG, { mode: 'plan' });
    const mismatch = await run(`${BIG}.limit(2)`, { plan_commit_ref: 'pc0' }).catch((error: Error) => error);
    await new Promise((resolve) => setTimeout(resolve, 800));
    const expired = await run(BIG, { plan_commit_ref: 'pc0', force: true }).catch((error: Error) => error);
    const none = await run(BIG, { plan_commit_ref: 'token' }).catch((error: Error) => error);
    expect([unknown, mismatch, expired, none]).toMatchObject([
      { code: 'COMMIT_UNKNOWN' },
      { code: 'COMMIT_MISMATCH' },
      { code: 'COMMIT_EXPIRED' },
      { code: 'COMMIT_UNKNOWN' },
    ]);
    const said = [unknown, mismatch, expired, none].map((error) => (error as Error).message);
    expect(new Set(said).size).toBe(4);
    for (const text of said) expect(text).toMatch(/dry-run again$/);
  });

  test('of what is understood and not run yet says so, even with force', async () => {
    const { run } = session();
    const { meta } = await run('Pokemon(1).moves', { mode: 'plan' });
    expect(meta.plasm.dry_verdict).toBe('review');
    await expect(run('Pokemon(1).moves', { force: true })).rejects.toMatchObject({
      code: 'PROGRAM_INVALID',
      message: 'line 1, column 12: not run yet: relations (Pokemon.moves); leave that out',
      errors: [{ line: 1, column: 12 }],
    });
    await expect(run('a = Pokemon.limit(2)\nPokemon~"x", a.moves', { force: true })).rejects.toMatchObject({
      message: expect.stringMatching(/^2 problems; the first: line 2, column 1: not run yet: search \(Pokemon~"x"\)/),
      errors: [
        { line: 2, column: 1 },
        { line: 2, column: 16 },
      ],
    });
  });
});

describe('an operation', () => {
  test('is followed by wait to its end, which can be asked for again', async () => {
    source.delayMs = 120;
    const { run } = session();
    await run(BIG, { force: true, wait: false });
    const seen: Answer[] = [];
    await until('it ends', async () => isOver(seen[seen.push(await run('wait(s0_o1)')) - 1]!), 30_000);
    const sigils = seen.map((answer) => [...'+~=!x?'].filter((sigil) => sigil in op(answer)).join());
    expect(sigils.at(-1)).toBe('!');
    expect(sigils).toContain('~');
    expect(sigils).toContain('=');
    const before = source.hits;
    const again = await run('wait(s0_o1)');
    expect(again).toEqual(seen.at(-1));
    expect(again.markdown).toMatch(/^```text\n`s0_o1` ! 600r\n```\n\n\*\*Pokemon\*\* · 600 rows/);
    expect(source.hits).toBe(before);
    for (const { markdown } of seen) expect(markdown).not.toContain('Poll:');
  });

  test('that is cancelled keeps what it has read, and begins no more reads', async () => {
    source.delayMs = 100;
    const { run, ...ids } = session();
    await run(BIG, { force: true, wait: false });
    const start = source.hits;
    await until('rows are read', () => source.hits - start >= 9);
    const asked = await run('cancel(s0_o1)');
    const before = source.hits;
    // Where the machine is busy, what is under way has not ended within the second that a cancel waits.
    const cancelled = isOver(asked) ? asked : await ended(run);
    expect(op(cancelled)).toMatchObject({ x: 1 });
    expect(op(cancelled).r).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(source.hits - before).toBeLessThanOrEqual(1);
    expect(op(await run('wait(s0_o1)'))).toEqual(op(cancelled));
    expect(op(await run('cancel(s0_o1)'))).toEqual(op(cancelled));
    const { rows, kept } = await world.service.execute.rows(caller, ids, 's0_o1', {
      offset: 0,
      limit: 2,
      of: undefined,
    });
    expect({ first: rows[0]!.id, kept }).toEqual({ first: 301, kept: op(cancelled).r });
  });

  test('that fails says why, in one line, and keeps saying it', async () => {
    source.status = 403;
    const { run } = session();
    await run(BIG, { force: true, wait: false });
    const answer = await ended(run);
    expect(op(answer)).toMatchObject({ '?': 1 });
    expect(answer.markdown).toMatch(/^```text\n`s0_o1` \? .*403.*\n```/);
    expect(op(await run('cancel(s0_o1)'))).toMatchObject({ '?': 1 });
  });

  test('that was accepted and never started is told as such, once it cannot be about to', async () => {
    const { run, ...ids } = session();
    const key = executeId('local', ids.prompt_hash, 'http', ids.session);
    await run(BIG, { force: true, wait: false });
    const told = { request_id: 'lost', plan_id: crypto.randomUUID(), commit_id: 'c', verdict: 'ok', program: 'x' };
    await world.client.workflow.getHandle(key).signal('execute_accept', { schema_version: 1, operations: [told] });
    expect((await run('wait(s0_o2)')).meta.plasm.continuity!.p).toBe('running');
    const now = Date.now;
    Date.now = () => now() + 20_000;
    const lost = await run('wait(s0_o2)').finally(() => {
      Date.now = now;
    });
    expect(op(lost)).toMatchObject({ '?': 1 });
    expect(lost.markdown).toContain('never started');
    await ended(run);
  });

  test('is one for the same request id, however often it is asked for', async () => {
    const { run } = session();
    const asked = { force: true, wait: false, request_id: 'same' };
    const answers = await Promise.all([run(BIG, asked), run(BIG, asked), run(BIG, asked)]);
    expect(answers.map(({ meta }) => meta.plasm.continuity!.h)).toEqual(['s0_o1', 's0_o1', 's0_o1']);
    expect(new Set(answers.map(({ meta }) => meta.plasm.plan_id)).size).toBe(1);
    await ended(run);
  });

  test('of a plan file is one for the same request id, in the background and in the foreground, and of no other plan', async () => {
    const { run, ...ids } = session();
    const plan = (ms: number) => `plan: 1\nname: once\ntasks:\n  a: { set: { x: 1 } }\n  b: { wait: ${ms}ms }\n`;
    const asked = { wait: false, request_id: 'same' };
    const answers = await Promise.all([run(plan(900), asked), run(plan(900), asked)]);
    answers.push(await run(`# sent again\n${plan(900)}`, asked));
    expect(answers.map(({ meta }) => meta.plasm.continuity!.h)).toEqual(['s0_o1', 's0_o1', 's0_o1']);
    expect(new Set(answers.map(({ meta }) => meta.plasm.plan_id)).size).toBe(1);
    const { plan_id } = answers[0]!.meta.plasm;
    expect((await run(plan(900), { request_id: 'same' })).meta.plasm.plan_id).toBe(plan_id);
    await expect(run(plan(800), asked)).rejects.toMatchObject({ code: 'REQUEST_INVALID' });
    expect(op(await ended(run))).toMatchObject({ '!': 1, r: 2 });
    const { operations } = await world.service.execute.operations(caller, ids, {});
    expect(operations.map(({ plan_id }) => plan_id)).toEqual([plan_id]);
  });

  test('of a plan file tells its tasks as steps, and has them as its rows', async () => {
    const { run } = session();
    const plan = 'plan: 1\nname: two\ntasks:\n  a: { set: { x: 1 } }\n  b: { needs: [a], wait: 300ms }\n';
    expect((await run(plan)).rows).toMatchObject([
      { task: 'a', status: 'succeeded', outputs: { x: 1 } },
      { task: 'b', status: 'succeeded' },
    ]);
    await run(plan, { wait: false });
    const answer = await ended(run);
    expect(op(answer)).toMatchObject({ '!': 1, r: 2 });
  });
});

describe('who follows an operation', () => {
  const all = async (name: ReturnType<typeof session>, after?: number): Promise<OperationNews[]> => {
    const follow = await world.service.execute.follow(caller, name, 's0_o1');
    const news: OperationNews[] = [];
    for await (const one of follow({ after, signal: AbortSignal.timeout(30_000) })) news.push(one);
    return news;
  };

  test('is told how it stands, what its steps tell, and its end; whoever comes late, the end', async () => {
    source.delayMs = 150;
    const one = session();
    await one.run(BIG, { force: true, wait: false });
    const news = await all(one);
    expect(news[0]!.event).toBe('snapshot');
    expect(news.at(-1)).toMatchObject({ event: 'terminal', line: '`s0_o1` ! 600r' });
    expect(news.slice(1, -1).every(({ event }) => event === 'progress')).toBe(true);
    const numbers = news.map(({ n }) => n);
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    const late = await all(one);
    expect(late.map(({ event }) => event)).toEqual(['snapshot', 'terminal']);
    expect(late.at(-1)).toEqual(news.at(-1));
    // What follows a line that was seen, and nothing twice.
    expect((await all(one, 1)).map(({ n }) => n)).toEqual(Array.from({ length: news.at(-1)!.n - 1 }, (_, i) => i + 2));
  });
});

describe('handles, sessions and catalogs', () => {
  const other: Caller = { ...caller, principal: { id: 'eve', name: 'Eve', org_id: 'evil' } };

  test('of another organisation are not there', async () => {
    const { run, ...ids } = session();
    await run(BIG, { force: true, wait: false });
    const { execute } = world.service;
    const evil = session({ by: other, name: ids.session });
    await expect(evil.run('wait(s0_o1)')).rejects.toMatchObject({ code: 'CATALOG_NOT_FOUND' });
    await expect(execute.catalog(other, hash)).rejects.toMatchObject({ code: 'CATALOG_NOT_FOUND' });
    await expect(execute.operations(other, ids, {})).rejects.toMatchObject({ code: 'CATALOG_NOT_FOUND' });
    await execute.registerCatalog(other, catalogOf(source));
    for (const program of ['wait(s0_o1)', 'cancel(s0_o1)', 'page(s0_pg1)'])
      await expect(evil.run(program)).rejects.toMatchObject({ code: 'HANDLE_NOT_FOUND' });
    expect(await execute.operations(other, ids, {})).toEqual({ operations: [], next_before: null });
    await ended(run);
  });

  test('of one session are nothing to another', async () => {
    const { run } = session();
    await run(BIG, { force: true, wait: false });
    await expect(session().run('wait(s0_o1)')).rejects.toMatchObject({ code: 'HANDLE_NOT_FOUND' });
    await expect(run('wait(s0_o1)', { surface: 'mcp' })).rejects.toMatchObject({ code: 'HANDLE_NOT_FOUND' });
    await ended(run);
  });

  test('are listed newest first, page by page', async () => {
    const { run, ...ids } = session();
    for (let i = 0; i < 3; i++) await run(`Pokemon.limit(${i + 1})`, { wait: false });
    await ended(run, 's0_o3');
    const page = await world.service.execute.operations(caller, ids, { limit: 2 });
    expect(page.operations.map(({ handle }) => handle)).toEqual(['s0_o3', 's0_o2']);
    expect(page.operations[0]).toMatchObject({ phase: 'succeeded', line: '`s0_o3` ! 3r', program: 'Pokemon.limit(3)' });
    const rest = await world.service.execute.operations(caller, ids, { limit: 2, before: page.next_before! });
    expect(rest).toMatchObject({ operations: [{ handle: 's0_o1' }], next_before: null });
    const { execute } = world.service;
    const byHandle = await execute.operations(caller, ids, { limit: 2, before: 's0_o2' });
    expect(byHandle).toEqual(rest);
    await expect(execute.operations(caller, ids, { before: 's1_o2' })).rejects.toMatchObject({
      code: 'HANDLE_NOT_FOUND',
    });
    const rows = (limit: number) => execute.rows(caller, ids, 's0_o3', { offset: 0, limit, of: undefined });
    for (const [name, refused] of Object.entries({
      'limit: is 0; give a whole number from 1 to 50': execute.operations(caller, ids, { limit: 0 }),
      'limit: is 51; give a whole number from 1 to 50': execute.operations(caller, ids, { limit: 51 }),
      'before: is 0; give a whole number from 1 on': execute.operations(caller, ids, { before: 0 }),
      'limit: is 0; give a whole number from 1 to 1000': rows(0),
      'limit: is 1001; give a whole number from 1 to 1000': rows(1_001),
    }))
      await expect(refused, name).rejects.toMatchObject({ code: 'REQUEST_INVALID', message: name });
  });

  test('have no dry run', async () => {
    const { run } = session();
    for (const program of ['wait(s0_o1)', 'cancel(s0_o1)', 'page(s0_pg1)'])
      await expect(run(program, { mode: 'plan' })).rejects.toMatchObject({
        code: 'PROGRAM_INVALID',
        message: expect.stringContaining('leave out mode=plan'),
      });
  });

  test('whoever may only cancel is told how it stands, and no rows', async () => {
    const { run, ...ids } = session();
    await run(BIG, { force: true, wait: false });
    await ended(run);
    const only = { ...caller, permissions: ['plan:approve'] as const };
    const answer = await session({ by: only, name: ids.session }).run('cancel(s0_o1)');
    expect(op(answer)).toMatchObject({ '!': 1, r: 600 });
    expect(answer.rows).toBeUndefined();
  });

  test.each([
    ['Pokemon.limit(1)', 'plan:create'],
    ['wait(s0_o1)', 'plan:read'],
    ['cancel(s0_o1)', 'plan:approve'],
    ['page(s0_pg1)', 'plan:read'],
  ] as const)('%s needs %s', async (program, needed) => {
    const { permissions } = caller;
    const lacking = { ...caller, permissions: permissions.filter((one) => one !== needed && one !== 'admin') };
    await expect(session({ by: lacking }).run(program)).rejects.toMatchObject({
      code: 'PLAN_FORBIDDEN',
      message: expect.stringContaining(needed),
    });
  });

  test('a catalog that was registered again is the same, however it is written', async () => {
    const { execute } = world.service;
    const again = await execute.registerCatalog(caller, `# a comment\n${catalogOf(source)}`);
    expect(again).toMatchObject({ prompt_hash: hash, created: false, entities: ['Pokemon'] });
    expect((await execute.catalog(caller, hash)).teaching).toContain('Pokemon');
    await until('it is listed', async () => (await execute.catalogs(caller)).some((one) => one.prompt_hash === hash));
    for (const none of ['0'.repeat(32), 'x/../y', ''])
      await expect(execute.catalog(caller, none)).rejects.toMatchObject({ code: 'CATALOG_NOT_FOUND' });
  });

  test('two hundred operations at once in one session have two hundred handles, and all end', async () => {
    const { run } = session();
    const began = Date.now();
    const accepted = await Promise.all(
      Array.from({ length: 200 }, (_, i) => run(`Pokemon.limit(${i + 1})`, { wait: false })),
    );
    const took = Date.now() - began;
    const handles = accepted.map(({ meta }) => meta.plasm.continuity!.h);
    expect(new Set(handles).size).toBe(200);
    const ends: Answer[] = [];
    for (const handle of handles) ends.push(await ended(run, handle));
    expect(ends.map((answer) => op(answer).r)).toEqual(Array.from({ length: 200 }, (_, i) => i + 1));
    console.log(`200 operations: accepted in ${took} ms, ended after ${Date.now() - began} ms`);
  }, 180_000);
});
