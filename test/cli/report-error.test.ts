import { expect, test } from 'vitest';
import { PlanFileFault } from '../../src/cli/plan-argument.ts';
import { reportError } from '../../src/cli/report-error.ts';
import { FAULTS, Fault, type FaultCode } from '../../src/faults.ts';
import { fakeCli } from './fake-cli.ts';

const PROMISED: [FaultCode, number][] = [
  ['PLAN_INVALID', 2],
  ['PLAN_NOT_FOUND', 3],
  ['PLAN_FORBIDDEN', 4],
  ['PLAN_INVALID_STATE', 5],
  ['ENGINE_UNAVAILABLE', 6],
];

test.each(PROMISED)('%s is one line on stderr and exit code %i', (code, exit) => {
  const { cli, out, err } = fakeCli();
  expect(reportError(new Fault(code, 'what went wrong'), cli)).toBe(exit);
  expect({ out, err }).toEqual({ out: [], err: ['holdpoint: what went wrong'] });
});

test.each(Object.keys(FAULTS) as FaultCode[])('%s never prints a stack trace', (code) => {
  const { cli, err } = fakeCli();
  reportError(new Fault(code, 'what went wrong', { cause: new Error('deep down') }), cli);
  expect(err.join('\n')).not.toMatch(/\bat .*:\d+|deep down/);
});

test('what nobody expected says so, and how to see where', () => {
  const { cli, err } = fakeCli();
  expect(reportError(new TypeError('x is not a function'), cli)).toBe(1);
  expect(err).toEqual([
    'holdpoint: something went wrong inside Holdpoint: x is not a function; HOLDPOINT_DEBUG=1 shows where',
  ]);
});

test('HOLDPOINT_DEBUG=1 shows the trace down to the first cause', () => {
  const { cli, err } = fakeCli({ env: { HOLDPOINT_DEBUG: '1' } });
  reportError(new Fault('ENGINE_UNAVAILABLE', 'gone', { cause: new Error('deep down') }), cli);
  expect(err[1]).toMatch(/^Fault: gone\n {4}at .*caused by: Error: deep down\n {4}at /s);
});

test('each problem of a plan file has a line with its place, as editors read it', () => {
  const { cli, err } = fakeCli();
  const errors = [
    { message: 'unknown word "rum"; did you mean "run"?', path: ['tasks', 'a'], line: 4, column: 8 },
    { message: 'there is no task "c"', path: ['tasks', 'b'], line: 5, column: 16 },
  ];
  expect(reportError(new PlanFileFault('a/plan.yaml', new Fault('PLAN_INVALID', '2 problems', { errors })), cli)).toBe(
    2,
  );
  expect(err).toEqual([
    'holdpoint: a/plan.yaml is not a valid plan: 2 problems',
    'a/plan.yaml:4:8: unknown word "rum"; did you mean "run"?',
    'a/plan.yaml:5:16: there is no task "c"',
  ]);
});
