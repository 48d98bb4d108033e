import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { expect, test } from 'vitest';

const SRC = resolve(import.meta.dirname, '../../src');

/** Everything that loads with a file, as far as `import` statements say; what is loaded only when used is left out. */
function loadsWith(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const text = readFileSync(resolve(SRC, file), 'utf8');
  for (const [, clause, from] of text.matchAll(/^(?:import|export) ([^;]*?)from '([^']+)'/gm)) {
    const typesOnly = clause!.startsWith('type ') || /^\{\s*(type \w+,?\s*)+\}\s*$/.test(clause!);
    if (typesOnly) continue;
    if (from!.startsWith('.')) loadsWith(resolve(SRC, dirname(file), from!).slice(SRC.length + 1), seen);
    else seen.add(from!);
  }
  return seen;
}
const packages = (loaded: Set<string>) =>
  [...loaded].filter((name) => !name.endsWith('.ts') && !name.startsWith('node:')).sort();

test('--help and --version load next to nothing', () => {
  expect(packages(loadsWith('cli/main.ts'))).toEqual(['commander', 'picocolors', 'uuid']);
});

test('checking a plan file loads no Temporal', () => {
  const loaded = packages(loadsWith('service/plan-file.ts'));
  expect(loaded).toContain('yaml');
  expect(loaded.filter((name) => name.startsWith('@temporalio'))).toEqual([]);
});
