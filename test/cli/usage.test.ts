import { describe, expect, test } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';
import { fakeCli } from './fake-cli.ts';

describe('a slip is told with what was probably meant, and exits 2', () => {
  test.each([
    [['rnu', 'plan.yaml'], "holdpoint: unknown command 'rnu'; did you mean run?"],
    [['ls', '--stat', 'failed'], "holdpoint: unknown option '--stat'; did you mean --state?"],
    [['server', 'stauts'], "holdpoint: unknown command 'stauts'; did you mean status?"],
    [['show'], "holdpoint: missing required argument 'id'; see holdpoint show --help"],
    [['cok', 'plan.yaml'], "holdpoint: unknown command 'cok'; did you mean cook?"],
    [['session', 'ls'], "holdpoint: unknown command 'session'; did you mean sessions?"],
    [['sessions', 'shw', 'x'], "holdpoint: unknown command 'shw'; did you mean show?"],
    [['run', 'x', '--resum', 'a'], "holdpoint: unknown option '--resum'; did you mean --resume?"],
    [['help', 'cok'], 'holdpoint: there is no command "cok"; did you mean cook?'],
    [['help', 'rnu'], 'holdpoint: there is no command "rnu"; did you mean run?'],
    [['graph', 'x', '--format', 'png'], 'Allowed choices are text, mermaid, svg, json; see holdpoint graph --help'],
    [['stop', 'a', 'b'], 'holdpoint: too many arguments'],
    [['ls', '--limit', 'many'], 'holdpoint: "many" is not a whole number'],
    [['run', 'plan.yaml', '--input', 'oops'], 'holdpoint: --input "oops": write NAME=VALUE'],
    [['run', 'no/such.yaml'], 'holdpoint: cannot read the plan file no/such.yaml: there is no such file'],
    [['run', '/'], 'holdpoint: cannot read the plan file /: it is a directory'],
  ])('%j', async (args, line) => {
    const { run, out, err, connects } = fakeCli();
    expect(await run(...args)).toBe(2);
    expect(err).toHaveLength(1);
    expect(err[0]).toContain(line);
    expect({ out, connects }).toEqual({ out: [], connects: [] });
  });
});

test.each([[['--help']], [[]]])('%j prints the help on stdout, examples first, exit 0', async (args) => {
  const { run, out, err } = fakeCli();
  expect(await run(...args)).toBe(0);
  expect(out.join('\n')).toMatch(/^Examples:\n {2}\$ holdpoint run plan\.yaml\n.*Usage: .*Exit codes:/s);
  expect(err).toEqual([]);
});

test('every command has examples and a summary, and prints JSON when asked, but for the engine itself and what is JSON anyway', () => {
  const commands = createProgram(fakeCli().cli).commands.flatMap((one) =>
    one.commands.length > 0 ? one.commands : [one],
  );
  const lacking = commands.filter((one) => !one.options.some(({ long }) => long === '--json')).map((one) => one.name());
  expect(lacking).toEqual(['schema', 'up', 'mcp', 'help', 'completion']);
  expect(commands.filter((one) => one.summary() === '')).toEqual([]);
});

test('every help begins with examples, ends with exit codes, and fits 80 columns', async () => {
  const paths = createProgram(fakeCli().cli).commands.flatMap((one) =>
    one.commands.length > 0 ? one.commands.map((inner) => [one.name(), inner.name()]) : [[one.name()]],
  );
  for (const path of paths) {
    const { run, out } = fakeCli();
    expect(await run('help', ...path)).toBe(0);
    const text = out.join('\n');
    expect(text, path.join(' ')).toMatch(/^Examples:\n {2}\$ holdpoint .*\nUsage: .*\nExit codes:\n {2}0 {4}ok/s);
    expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
  }
});

test('a group of commands called without one prints its help on stderr and exits 2', async () => {
  const { run, out, err } = fakeCli();
  expect(await run('server')).toBe(2);
  expect(out).toEqual([]);
  expect(err.join('\n')).toMatch(/^Examples:.*status {6}show/s);
  expect(err.join('\n')).not.toContain('holdpoint: ');
});
