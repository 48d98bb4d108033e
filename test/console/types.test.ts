import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
// @ts-expect-error: a script of the build, which has no types.
import { typesOf } from '../../scripts/console-types.js';

const ROOT = join(import.meta.dirname, '../..');

/** After a change of the API that is meant: `npm run schema`. */
test('the console knows the API’s answers as the API describes them', async () => {
  const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
  expect(read('src/console/api/types.ts')).toBe(await typesOf(JSON.parse(read('docs/openapi.json'))));
});
