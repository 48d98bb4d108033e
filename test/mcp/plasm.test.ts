import { Validator } from '@cfworker/json-schema';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startApi } from '../api/real.ts';
import { until } from '../support/world.ts';
import { BIG, pokedex } from './plasm-source.ts';
import { ERAS, rpcClient, type Wire } from './rpc.ts';

let api: Awaited<ReturnType<typeof startApi>>;
let source: Awaited<ReturnType<typeof pokedex>>;
let prompt_hash: string;
let outputs: Map<string, object>;
beforeAll(async () => {
  [api, source] = await Promise.all([startApi(), pokedex()]);
  const { tools } = await rpcClient(api.url).rpc('tools/list');
  outputs = new Map(tools.map((tool: Wire) => [tool.name, tool.outputSchema]));
  prompt_hash = (await http('/catalogs', source.catalog, 'application/yaml')).prompt_hash;
});
afterAll(async () => {
  source.stop();
  await api.stop();
});
afterEach(() => source.slow(0));

async function http(path: string, body: string | object, type = 'application/json'): Promise<Wire> {
  const response = await fetch(`${api.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': type, accept: 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return (await response.json()) as Wire;
}

let n = 0;
const newSession = () => `m${process.pid}-${n++}`;

/** One agent: what it is answered, and what was pushed on the stream of the call. */
function agent(session = newSession(), options: Parameters<typeof rpcClient>[1] = {}) {
  const { messages, rpc } = rpcClient(api.url, options);
  async function call(name: string, program: string, more: object = {}) {
    const given = { name, arguments: { prompt_hash, session, program, ...more } };
    const all = await messages('tools/call', given);
    const result: Wire = all.at(-1)!.result!;
    const pushed = all.slice(0, -1).map(({ method, params }) => ({ method, params }));
    if (result.isError) return { pushed, error: JSON.parse(result.content[0].text).error as Wire };
    const { valid, errors } = new Validator(outputs.get(name)! as never, '2020-12', false).validate(
      result.structuredContent,
    );
    expect(valid ? [] : errors).toEqual([]);
    const { plasm } = result._meta;
    expect(result.structuredContent._meta.plasm).toEqual(plasm);
    expect(result.structuredContent.markdown).toBe(result.content[0].text);
    const sigil = plasm.op && Object.keys(plasm.op).find((key) => '+~=!x?'.includes(key));
    return {
      pushed,
      text: result.content[0].text as string,
      body: result.structuredContent as Wire,
      plasm,
      sigil,
      content: result.content as Wire[],
    };
  }
  return {
    session,
    rpc,
    messages,
    plasm: (program: string, more?: object) => call('plasm', program, more),
    run: (program: string, more?: object) => call('plasm_run', program, more),
    ends: (handle: string) =>
      until(`${handle} ends`, async () => {
        const now = await call('plasm_run', `wait(${handle})`);
        return ['!', 'x', '?'].includes(now.sigil!) && now;
      }),
  };
}

describe.each(ERAS)('%s', (era) => {
  test('a program is dry-run, accepted by its token, waited for, and its rows are read', async () => {
    const { plasm, run, ends, rpc } = agent(newSession(), { era });
    const before = source.hits();
    const dry = await plasm(BIG);
    expect(source.hits()).toBe(before);
    expect(dry.plasm).toMatchObject({ dry_run: true, dry_verdict: 'review', plan_commit_ref: 'pc0' });
    expect((await run(BIG)).error).toMatchObject({ code: 'REVIEW_REQUIRED' });

    const accepted = await run(BIG, { plan_commit_ref: 'pc0' });
    expect(accepted.text).toContain('wait(s1_o1)');
    expect(accepted.plasm).toMatchObject({
      continuity: { p: 'running', h: 's1_o1' },
      op: { n: 1, '+': 1, c: 'pc0' },
      commit_id: dry.plasm.commit_id,
      auto_async: true,
    });
    const end = await ends('s1_o1');
    expect(end.plasm.op).toMatchObject({ '!': 1, r: 600 });
    expect(end.body!.rows[0]).toEqual({ id: 301, name: 'p301', base_experience: 300 });
    const link = end.content!.find(({ type }) => type === 'resource_link')!;
    const [{ text, mimeType }] = (await rpc('resources/read', { uri: link.uri })).contents;
    expect(mimeType).toBe('application/json');
    expect(JSON.parse(text)).toMatchObject({ phase: 'succeeded', kept: 600, next: null });
    expect(JSON.parse(text).rows).toHaveLength(600);
  });
});

test('the same program has the same commit id over HTTP, whatever the tokens and sessions are', async () => {
  const { plasm, session } = agent();
  await plasm('Pokemon.limit(1)');
  const here = (await plasm(`  ${BIG}   ;; a comment`)).plasm;
  const there = (await http(`/execute/${prompt_hash}/${session}?mode=plan`, { program: BIG }))._meta.plasm;
  expect([here.plan_commit_ref, there.plan_commit_ref]).toEqual(['pc1', 'pc0']);
  expect(here.commit_id).toBe(there.commit_id);
});

test('what is bounded answers at once, and rows beyond one page are read by their handle', async () => {
  const { run } = agent();
  const { body, text, plasm, pushed } = await run('Pokemon.limit(3)[id, name]');
  expect(body!.rows).toEqual([1, 2, 3].map((id) => ({ id, name: `p${id}` })));
  expect([plasm.op, pushed]).toEqual([undefined, []]);
  expect(text).toContain('| id | name |');
  const first = await run(`${BIG}.page_size(220)`, { force: true });
  expect(first.text).toContain('page(s1_pg1)');
  const second = await run('page(s1_pg1)');
  expect([second.body!.rows.length, second.body!.rows[0].id]).toEqual([220, 521]);
});

test('handles are of their surface and session', async () => {
  const one = agent();
  await one.run(BIG, { force: true, wait: false });
  expect((await one.run('wait(s0_o1)')).error).toMatchObject({ code: 'HANDLE_NOT_FOUND' });
  expect((await agent().run('wait(s1_o1)')).error).toMatchObject({ code: 'HANDLE_NOT_FOUND' });
  const other = agent(one.session, { headers: { 'x-org': 'other' } });
  expect((await other.run('wait(s1_o1)')).error).toMatchObject({ code: 'CATALOG_NOT_FOUND' });
  await one.ends('s1_o1');
});

test('a cancelled operation keeps what was read, and that can be read', async () => {
  source.slow(150);
  const { run, rpc, ends } = agent();
  const { plasm } = await run(BIG, { force: true, wait: false });
  const uri = `holdpoint://operations/${plasm.plan_id}/rows`;
  const read = async (more = ''): Promise<Wire> =>
    JSON.parse((await rpc('resources/read', { uri: `${uri}${more}` })).contents[0].text);
  const partial = await until('rows of it can be read while it runs', async () => {
    const now = await read();
    return now.rows.length > 0 && now;
  });
  expect(partial).toMatchObject({ phase: 'running', rows: [{ id: 301 }, ...partial.rows.slice(1)] });
  expect(partial.note).toContain('more may come');
  await run('cancel(s1_o1)');
  const { sigil, plasm: end } = await ends('s1_o1');
  expect(sigil).toBe('x');
  const kept = await read();
  expect(kept).toMatchObject({ phase: 'cancelled', kept: end.op.r });
  expect(kept).not.toHaveProperty('line');
  expect(kept.rows.length).toBeGreaterThanOrEqual(partial.rows.length);
  expect(kept.kept).toBeLessThan(600);
  const { rows, offset } = await read(`?offset=${kept.kept - 2}`);
  expect([offset, rows.map(({ id }: Wire) => id)]).toEqual([kept.kept - 2, [298, 299].map((id) => id + kept.kept + 1)]);
  await expect(read('?of=nothing')).rejects.toMatchObject({ message: expect.stringContaining('it returns') });
  for (const [query, said] of [
    ['?offset=x', 'offset: is "x"; give a whole number from 0 on'],
    ['?offset=-1', 'offset: is "-1"; give a whole number from 0 on'],
    ['?foo=1', 'unknown word "foo"; known here: offset, of'],
  ])
    await expect(read(query)).rejects.toMatchObject({ code: -32602, message: expect.stringContaining(said!) });
  await expect(rpc('resources/read', { uri: 'holdpoint://operations/none/rows' })).rejects.toMatchObject({
    code: expect.any(Number),
  });
});

describe('lines are pushed', () => {
  test('on the stream of each call, with these keys and no other', async () => {
    source.slow(60);
    const { plasm, run, ends } = agent();
    const { plan_commit_ref } = (await plasm(BIG)).plasm;
    const { pushed } = await run(BIG, { plan_commit_ref });
    expect(pushed).toEqual([
      { method: 'notifications/plasm/op', params: { line: '`s1_o1` + pc0 review', n: 1, c: 'pc0' } },
    ]);
    const now = await run('wait(s1_o1)');
    if (now.sigil === '~')
      expect(now.pushed).toEqual([{ method: 'notifications/plasm/op', params: expect.any(Object) }]);
    source.slow(0);
    const end = await ends('s1_o1');
    expect(end.pushed).toEqual([
      { method: 'notifications/plasm/op', params: { line: '`s1_o1` ! 600r', n: end.plasm.op.n } },
    ]);
  });

  test.each(ERAS)('%s: as they come to whoever follows, rows every two seconds at most', async (era) => {
    source.slow(250);
    const { run, messages, session } = agent(newSession(), { era });
    const begun = Date.now();
    await run(BIG, { force: true, wait: false });
    const all = await messages('plasm/follow', { prompt_hash, session, handle: 's1_o1', after: 1 });
    const lines = all.slice(0, -1).map(({ params }) => params as { line: string; n: number });
    expect(all.slice(0, -1).every(({ method }) => method === 'notifications/plasm/op')).toBe(true);
    expect(new Set(lines.flatMap((line) => Object.keys(line)))).toEqual(new Set(['line', 'n']));
    expect(lines.map(({ n }) => n)).toEqual(lines.map((_, i) => i + 2));
    expect(lines.at(-1)!.line).toBe('`s1_o1` ! 600r');
    for (const { line } of lines.slice(0, -1)) expect(line).toMatch(/^`s1_o1` ~ 1\/1 Pokemon( \d+r)?$/);
    expect(lines.length).toBeGreaterThan(2);
    expect(lines.length).toBeLessThanOrEqual(3 + Math.ceil((Date.now() - begun) / 2_000));
    expect(all.at(-1)!.result).toMatchObject({ ended: true, line: '`s1_o1` ! 600r', n: lines.at(-1)!.n });
  });

  test('of one that has ended, only the lines behind `after`, and how it ended', async () => {
    const { run, ends, messages, session } = agent();
    await run(BIG, { force: true, wait: false });
    const { n } = (await ends('s1_o1')).plasm.op;
    const follow = async (after?: number) => {
      const all = await messages('plasm/follow', { prompt_hash, session, handle: 's1_o1', after });
      return { ...all.at(-1)!.result, pushed: all.slice(0, -1).map(({ params }) => params!.n) };
    };
    const end = { ended: true, line: '`s1_o1` ! 600r', n };
    expect(await follow(99)).toMatchObject({ ...end, pushed: [] });
    expect(await follow(n)).toMatchObject({ ...end, pushed: [] });
    expect((await follow(n - 1)).pushed).toContain(n);
    expect((await follow()).pushed).toContain(n);
  });

  test('whoever follows what is not there is told so', async () => {
    const { rpc, session } = agent();
    await expect(rpc('plasm/follow', { prompt_hash, session, handle: 's1_o1' })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('HANDLE_NOT_FOUND'),
    });
  });
});

describe('catalogs', () => {
  const tool = async (args: object, headers: Record<string, string> = {}): Promise<Wire> => {
    const { rpc } = rpcClient(api.url, { headers });
    return await rpc('tools/call', { name: 'plasm_catalogs', arguments: args });
  };

  test('are registered, listed and taught', async () => {
    const headers = { 'x-org': 'catalogs' };
    const made = await tool({ register: source.catalog }, headers);
    expect(made.structuredContent).toMatchObject({ registered: true, prompt_hash, name: 'pokedex' });
    expect(made.content[0].text).toContain('Pokemon');
    expect((await tool({ register: source.catalog }, headers)).structuredContent.registered).toBe(false);
    expect((await tool({ prompt_hash: 'pokedex' }, headers)).content[0].text).toBe(made.content[0].text);
    const listed = await until('it is listed', async () => {
      const { catalogs } = (await tool({}, headers)).structuredContent;
      return catalogs.length > 0 && catalogs;
    });
    expect(listed).toEqual([{ prompt_hash, name: 'pokedex', entities: ['Pokemon'] }]);
    const { rpc } = rpcClient(api.url, { headers });
    const args = { program: 'Pokemon.limit(1)' };
    const { structuredContent } = await rpc('tools/call', { name: 'plasm_run', arguments: args });
    expect(structuredContent.rows).toHaveLength(1);
  });

  test('which one is meant has to be said where there are several, and none where there is none', async () => {
    const headers = { 'x-org': 'several' };
    const { rpc } = rpcClient(api.url, { headers });
    const run = async (args: object = {}) => {
      const given = { program: 'Pokemon.limit(1)', ...args };
      const { content } = await rpc('tools/call', { name: 'plasm_run', arguments: given });
      return JSON.parse(content[0].text).error as Wire;
    };
    expect(await run()).toMatchObject({ code: 'CATALOG_NOT_FOUND', message: expect.stringContaining('register one') });
    await tool({ register: source.catalog }, headers);
    await tool({ register: source.catalog.replace('name: pokedex', 'name: other') }, headers);
    const told = await until('both are listed', async () => {
      const { code, message } = (await run()) ?? {};
      return code === 'REQUEST_INVALID' && (message as string);
    });
    expect(told).toContain(`${prompt_hash} (pokedex)`);
    expect(told).toContain('(other)');
    expect(await run({ prompt_hash: 'none' })).toMatchObject({ code: 'CATALOG_NOT_FOUND' });
  });

  test('what is wrong with one is told with its places', async () => {
    const { content } = await tool({ register: 'catalog: 1\nname: x\nentities: {}\n' });
    expect(JSON.parse(content[0].text).error).toMatchObject({
      code: 'CATALOG_INVALID',
      details: { errors: [{ line: 3 }] },
    });
  });
});

test('what is wrong with a program is told with its places', async () => {
  const { error } = await agent().plasm('Pokemon.filter{base_experience >=');
  expect(error).toMatchObject({
    code: 'PROGRAM_INVALID',
    details: { errors: [{ line: 1, column: expect.any(Number) }] },
  });
});
