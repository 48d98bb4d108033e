import { expect, test } from 'vitest';
import { fakeCli } from './fake-cli.ts';

const GOOD =
  'plan: 1\nname: hello\ninputs: { who: { type: string } }\ntasks: { a: { run: "echo ${{ inputs.who }}" } }\n';
const BAD = 'plan: 1\nname: hello\ntasks:\n  a: { rum: x }\n  b: { needs: [c], run: x }\n';

test('a valid plan is told in a line; no engine is asked', async () => {
  const { run, out, err, connects } = fakeCli({ input: GOOD });
  expect(await run('validate', '-', '--input', 'who=Ada')).toBe(0);
  expect({ out, err, connects }).toEqual({ out: ['- is a valid plan: hello, 1 task'], err: [], connects: [] });
});

test('--json lists its tasks', async () => {
  const { run, out } = fakeCli({ input: GOOD });
  await run('validate', '-', '--input', 'who=Ada', '--json');
  expect(JSON.parse(out.join('\n'))).toEqual({ valid: true, name: 'hello', tasks: ['a'] });
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
