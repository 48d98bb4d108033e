import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readAttempts, recordRunningAttempts } from '../../src/activities/running-attempts.ts';
import { identify } from '../../src/home/process-identity.ts';
import { tempDir } from '../support/world.ts';

test('files that hold no attempt are passed over and removed; those that do are read', async () => {
  const folder = tempDir('attempts');
  const attempt = { workflow_id: 'plan/local/p', run_id: 'r', activity_id: 'a#1.1' };
  await recordRunningAttempts(folder, identify()).begin(attempt);
  const bad = [
    'null',
    '{"x',
    '',
    '[]',
    '42',
    '{"worker": null}',
    JSON.stringify({ ...attempt, worker: identify(), group: 1 }),
  ];
  bad.forEach((text, i) => {
    writeFileSync(join(folder, `bad-${i}.json`), text);
  });
  mkdirSync(join(folder, 'folder.json'));
  expect((await readAttempts(folder)).map(({ record }) => record)).toEqual([{ ...attempt, worker: identify() }]);
  expect(readdirSync(folder)).toHaveLength(1);
});
