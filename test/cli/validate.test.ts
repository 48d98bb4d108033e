import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dryRun } from '../../src/service/dry-run.ts';
import { readPlanFile } from '../../src/service/plan-file.ts';
import { fakeCli } from './fake-cli.ts';

const GOOD =
  'plan: 1\nname: hello\ninputs: { who: { type: string } }\ntasks: { a: { run: "echo ${{ inputs.who }}" } }\n';
const BAD = 'plan: 1\nname: hello\ntasks:\n  a: { rum: x }\n  b: { needs: [c], run: x }\n';

test('a valid plan is told with what it would do; no engine is asked', async () => {
  const { run, out, err, connects } = fakeCli({ input: GOOD });
  expect(await run('validate', '-', '--input', 'who=Ada')).toBe(0);
  expect({ out, err, connects }).toEqual({
    out: [
      '- is a valid plan: hello, 1 task',
      '  inputs        who = "Ada"',
      '  starts first  a',
      '  takes         any time: no timeout for a',
    ],
    err: [],
    connects: [],
  });
});

test('what is wrong with an input is said of the command line, not of the file', async () => {
  const { run, err } = fakeCli({
    input: 'plan: 1\nname: x\ninputs: { guests: { type: integer } }\ntasks: { a: { run: x } }\n',
  });
  expect(await run('validate', '-', '--input', 'guests=abc', '--input', 'guest=1')).toBe(2);
  expect(err).toEqual([
    'holdpoint: <stdin> cannot be run with these inputs: 2 problems',
    '--input guests: "abc" is not a whole number',
    '--input guest: the plan has no input "guest"; did you mean "guests"?',
  ]);
});

test('each problem has a subject', async () => {
  const { run, err } = fakeCli({
    input: 'plan: 1\nname: x\ninputs: { it: { type: int } }\ntasks: { a: { run: x, needs: [3] } }\n',
  });
  expect(await run('validate', '-')).toBe(2);
  expect(err.slice(1)).toEqual([
    expect.stringMatching(/^<stdin>:3:23: `type` is the text "int"; it has to be one of string, /),
    expect.stringMatching(/^<stdin>:4:31: number 1 of `needs` is the number 3; it has to be text/),
  ]);
});

test('a file that is no text is refused with its place', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-bytes-'));
  writeFileSync(join(folder, 'p.yaml'), Buffer.concat([Buffer.from('plan: 1\nname: sch'), Buffer.from([0xf6])]));
  const { run, err } = fakeCli({ directory: folder });
  expect(await run('validate', 'p.yaml')).toBe(2);
  expect(err).toEqual(['holdpoint: p.yaml is not a valid plan: 1 problem', 'p.yaml:2:10: this is not UTF-8']);
  rmSync(folder, { recursive: true });
});

test('what follows, what is skipped, asked and warned of is told in words', async () => {
  const input = `
plan: 1
name: words
deadline: 2h
inputs: { go: { type: boolean, default: false } }
tasks:
  a: { run: x, on_failure: hold }
  b: { needs: a, run: x, if: inputs.go }
  c: { needs: b, run: x }
  each: { needs: a, map: { in: [1, 2], task: { run: x } } }
  ok: { needs: each, approve: { prompt: "Ship?", timeout: 2d } }
  d: { needs: ok, run: x, if: tasks.ok.outputs.choice == 'approve' }
finally: { run: x }
`;
  const { run, out } = fakeCli({ input: input.replace('inputs: {', 'inputs: { idle: { default: x },') });
  await run('validate', '-');
  expect(out.slice(1)).toEqual([
    '  inputs        idle = "x"',
    '                go = false',
    '  starts first  a',
    '  then          each (for 2 items)',
    '                ok',
    '                d',
    '  at its end    finally',
    '  skips         b: its condition is false: inputs.go',
    '                c: b was skipped',
    "  only if       d: tasks.ok.outputs.choice == 'approve'",
    '  asks          a, if it fails: a has failed: what now? (retry, skip, complete, abort)',
    '                ok: Ship? (approve, reject; after 2d: fail)',
    '  takes         any time: no timeout for finally',
    '  warning       no task reads the input "idle"',
  ]);
});

test('--json is the document that REST answers with', async () => {
  const { run, out } = fakeCli({ input: GOOD });
  await run('validate', '-', '--input', 'who=Ada', '--json');
  expect(JSON.parse(out.join('\n'))).toEqual(dryRun(readPlanFile(GOOD, { inputs: { who: 'Ada' } })));
});

test('all problems are told at once on stderr, with their places', async () => {
  const { run, out, err } = fakeCli({ input: BAD });
  expect(await run('validate', '-')).toBe(2);
  expect(out).toEqual([]);
  expect(err[0]).toBe('holdpoint: <stdin> is not a valid plan: 2 problems');
  expect(err.slice(1)).toEqual([
    expect.stringMatching(/^<stdin>:4:\d+: .*rum/),
    expect.stringMatching(/^<stdin>:5:\d+: .*"c"/),
  ]);
});

test('with --json the problems are data', async () => {
  const { run, out, err } = fakeCli({ input: BAD });
  expect(await run('validate', '-', '--json')).toBe(2);
  expect(JSON.parse(out.join('\n'))).toMatchObject({
    valid: false,
    errors: [{ line: 4 }, { line: 5, path: ['tasks', 'b', 'needs', 0] }],
  });
  expect(err).toEqual([]);
});

test('an input that is missing is a problem of the plan', async () => {
  const { run, err } = fakeCli({ input: GOOD });
  expect(await run('validate', '-')).toBe(2);
  expect(err[1]).toContain('the input "who" is missing');
});
