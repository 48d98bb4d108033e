import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { tempDir } from '../support/world.ts';
import { fakeCli, ID } from './fake-cli.ts';

const made = (read: () => Readable = () => Readable.from([Buffer.from('PK')])) => {
  const directory = tempDir('bundle');
  return { directory, ...fakeCli({ directory, service: { bundle: async () => ({ name: 'one.zip', read }) } }) };
};

test('a bundle is saved whole, under its own name or another', async () => {
  const { run, out, directory } = made();
  expect([await run('bundle', ID), await run('bundle', ID, '-o', 'two.zip', '--json')]).toEqual([0, 0]);
  expect(out[0]).toBe(join(directory, 'one.zip'));
  expect(JSON.parse(out.slice(1).join(''))).toEqual({ file: join(directory, 'two.zip'), bytes: 2 });
  expect(readdirSync(directory).sort()).toEqual(['one.zip', 'two.zip']);
});

test.each([
  ['one.zip', /cannot save .*one.zip: it is there already; name another with --output/],
  ['no/such/one.zip', /its directory does not exist/],
])('to %s nothing is written', async (file, message) => {
  const { run, err, directory } = made();
  writeFileSync(join(directory, 'one.zip'), 'mine');
  expect(await run('bundle', ID, '-o', file)).toBe(2);
  expect(err.join('\n')).toMatch(message);
  expect(readFileSync(join(directory, 'one.zip'), 'utf8')).toBe('mine');
  expect(readdirSync(directory)).toEqual(['one.zip']);
});

test('one that breaks off leaves nothing', async () => {
  const broken = async function* () {
    yield Buffer.from('PK');
    throw new Error('cut off');
  };
  const { run, directory } = made(() => Readable.from(broken()));
  expect(await run('bundle', ID)).toBe(1);
  expect(readdirSync(directory)).toEqual([]);
});
