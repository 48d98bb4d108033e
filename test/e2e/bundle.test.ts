import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '../support/world.ts';

const ROOT = join(import.meta.dirname, '../..');

/** A copy of the built program, with what becomes of the compiled form of each of its files. */
function program(change: (cache: string) => void) {
  const copy = tempDir('program');
  for (const part of ['bin', 'dist', 'package.json']) cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  const bundle = join(copy, 'dist/bundle');
  for (const file of readdirSync(bundle)) if (file.endsWith('.cache')) change(join(bundle, file));
  return () =>
    execFileSync(process.execPath, [join(copy, 'bin/holdpoint.js'), 'validate', join(ROOT, 'examples/hello.yaml')]);
}

test.each([
  ['is there', () => {}],
  ['is missing', (cache: string) => rmSync(cache)],
  ['is cut off', (cache: string) => truncateSync(cache, 1_000)],
  ['is not one', (cache: string) => writeFileSync(cache, 'no code cache at all')],
])('where its compiled form %s, the program runs', (_name, change) => {
  expect(String(program(change)())).toMatch(/valid/);
});
