import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from './run-example.ts';

const folder = join(ROOT, 'examples');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => /\.\w+$/.test(path));
/** Programs, and the catalogs that they are over. */
const programs = files.filter((path) => path.startsWith('programs/'));
const plans = files.filter((path) => path.endsWith('.yaml') && !programs.includes(path));
const scripts = files.filter((path) => path.endsWith('.js'));
const read = (path: string) => readFileSync(join(folder, path), 'utf8');
const tests = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'));

test('examples are plans, their scripts, programs and a README', () => {
  expect(files.toSorted()).toEqual([...plans, ...scripts, ...programs, 'README.md'].toSorted());
});

test.each(programs)('%s is read by a test, and told of in the README', (path) => {
  const name = basename(path);
  expect(tests.some((text) => text.includes(`'${name}'`) || text.includes(`examples/${path}`))).toBe(true);
  expect(read('README.md')).toContain(`examples/${path}`);
});

describe.each(plans)('%s', (plan) => {
  test('is run by a test', () => {
    expect(tests.some((text) => text.includes(`start('${plan}'`))).toBe(true);
  });
  test('is told of in the README of the examples, with how to run it', () => {
    expect(read('README.md')).toContain(`holdpoint run examples/${plan}`);
  });
});

describe.each(scripts)('%s', (script) => {
  test('is what its plan runs, or what a script of its plan imports', () => {
    const beside = scripts.filter((other) => other !== script && dirname(other) === dirname(script));
    const plan = plans.find((name) => name === `${dirname(script)}.yaml`);
    // An example without a plan is told of in the README alone.
    const isRun = read(plan ?? 'README.md').includes(`node examples/${script}`);
    const isImported = beside.some((other) => read(other).includes(`'./${basename(script)}'`));
    expect(isRun || isImported).toBe(true);
  });
});
