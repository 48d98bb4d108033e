import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fakeCli } from './fake-cli.ts';

test('schema prints what editors read; no engine is asked', async () => {
  const { run, out, err, connects } = fakeCli({});
  expect(await run('schema')).toBe(0);
  expect(JSON.parse(out.join('\n'))).toEqual(JSON.parse(readFileSync('schema/plan-1.schema.json', 'utf8')));
  expect({ err, connects }).toEqual({ err: [], connects: [] });
});
