import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { TaskView } from '../../src/plan/view.ts';
import { readPlanFile } from '../../src/service/plan-file.ts';
import { fakeCli, ID, summary, view } from './fake-cli.ts';

const DIAMOND = `
plan: 1
name: diamond
tasks:
  a: { run: x }
  left: { needs: a, http: "https://example.org" }
  right: { needs: a, map: { in: [1, 2], task: { run: x } } }
  ok: { needs: [left, right], approve: "Fine?" }
  last: { needs: [ok, a], run: x, if: tasks.ok.outputs.choice == 'approve' }
finally: { run: x }
`;

const DRAWN = `diamond  6 tasks

               ┌─────────┐
               │ a  run  │
               └────┬────┘
┌───────────────────┼───────────────────────────┐
│                   ▼                           ▼
│  ┌─────────────────────────────────┐   ┌─────────────┐
│  │ right  run for each of 2 items  │   │ left  http  │
│  └────────────────┬────────────────┘   └──────┬──────┘
│                   └─────────────┬─────────────┘
│                                 ▼
│                          ╔═════════════╗
│                          ║ ok  approve ║
│                          ╚══════┬══════╝
└───────────────────────┬─────────┘
                        ▼
               ┌─────────────────┐
               │ last  run, if … │
               └─────────────────┘

┌╌ in any case ╌╌╌╌╌┐
╎ ┌───────────────┐ ╎
╎ │ finally  run  │ ╎
╎ └───────────────┘ ╎
└╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┘`;

const CROSSING = `x  5 tasks

┌─────────┐           ┌─────────┐
│ b  run  │           │ a  run  │
└────┬────┘           └────┬────┘
     │       ┌─────────────┤
     ├───────┤             │
     │       ▼             ▼
     │  ┌─────────┐   ┌─────────┐
     │  │ c  run  │   │ d  run  │
     │  └─────────┘   └────┬────┘
     └──────────┬──────────┘
                ▼
           ┌─────────┐
           │ e  run  │
           └─────────┘`;

const LISTED = `diamond  6 tasks

LAYER  TASK         KIND                     AFTER
1      a            run
2      left         http                     a
       right        run for each of 2 items  a
3      ok           approve                  left, right
4      last         run                      ok, a; if tasks.ok.outputs.choice == 'approve'
       in any case
1      finally      run`;

function folder() {
  const directory = mkdtempSync(join(tmpdir(), 'holdpoint-graph-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}

test('a plan file is drawn as boxes and arrows; no engine is asked', async () => {
  const { run, out, connects } = fakeCli({ input: DIAMOND });
  expect(await run('graph', '-')).toBe(0);
  expect(out.join('\n')).toBe(DRAWN);
  expect(connects).toEqual([]);
});

test('lines that cross stay apart, and those that meet join', async () => {
  const input =
    'plan: 1\nname: x\ntasks: { a: { run: x }, b: { run: x }, c: { needs: [a, b], run: x }, d: { needs: a, run: x }, e: { needs: [b, d], run: x } }';
  const { run, out } = fakeCli({ input });
  await run('graph', '-');
  expect(out.join('\n')).toBe(CROSSING);
});

test('a plan of many tasks, or wider than the terminal, is listed by layers', async () => {
  const { run, out, cli } = fakeCli({ input: DIAMOND });
  cli.out.columns = 40;
  await run('graph', '-');
  expect(out.join('\n')).toBe(LISTED);
});

describe('a plan that runs', () => {
  const tasks = [
    { id: 'a', status: 'succeeded' },
    { id: 'left', status: 'running' },
    { id: 'right', status: 'running', items: { total: 2, succeeded: 1, failed: 0, skipped: 0 } },
  ] as TaskView[];
  const service = {
    list: async () => ({ plans: [summary(ID)], next_cursor: null }),
    definition: async () => readPlanFile(DIAMOND).definition,
    read: async () => view({ tasks }),
  };

  test('is drawn the same, with where each task stands', async () => {
    const { run, out } = fakeCli({ service });
    expect(await run('graph', '3f2b9c')).toBe(0);
    const text = out.join('\n');
    expect(text).toMatch(/│ ✓ a {2}run {1,2}│/);
    expect(text).toContain('● right  run for each of 2 items 1/2');
    expect(text).toMatch(/● 2 running {3}✓ 1 succeeded$/);
  });

  test('has it in every format', async () => {
    const { run, out } = fakeCli({ service });
    await run('graph', ID, '--json');
    expect(JSON.parse(out.join('\n')).nodes[0]).toMatchObject({ id: 'a', status: 'succeeded' });
    await run('graph', ID, '--format', 'mermaid');
    expect(out.at(-1)).toContain(':::running');
    await run('graph', ID, '--format', 'svg');
    expect(out.at(-1)).toContain('class="activity succeeded"');
  });
});

describe('--output', () => {
  test.each([
    ['plan.svg', /^<svg /],
    ['plan.mmd', /^---\ntitle: "diamond"/],
    ['plan.json', /^\{\n {2}"name": "diamond"/],
    ['plan.txt', /^diamond {2}6 tasks\n/],
  ])('%s says the format', async (name, expected) => {
    const directory = folder();
    const { run, out, err } = fakeCli({ input: DIAMOND, directory });
    expect(await run('graph', '-', '--output', name)).toBe(0);
    expect(readFileSync(join(directory, name), 'utf8')).toMatch(expected);
    expect({ out, err }).toEqual({ out: [], err: [`written to ${name}`] });
  });

  test('that cannot be written is told', async () => {
    const { run, err } = fakeCli({ input: DIAMOND, directory: folder() });
    expect(await run('graph', '-', '--output', 'no/such/plan.svg')).toBe(2);
    expect(err).toEqual([expect.stringMatching(/^holdpoint: cannot write no\/such\/plan\.svg: /)]);
  });
});

test('what looks like an id is a file when there is one', async () => {
  const directory = folder();
  writeFileSync(join(directory, 'abcdef'), DIAMOND);
  const { run, out } = fakeCli({ directory });
  expect(await run('graph', 'abcdef')).toBe(0);
  expect(out[0]).toBe(DRAWN);
});
