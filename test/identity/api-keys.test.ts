import { chmodSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { watchApiKeys } from '../../src/identity/api-keys.ts';
import { tempDir, until } from '../support/world.ts';

const list = (...names: string[]) =>
  JSON.stringify(
    names.map((id) => ({ key: `secret-${id}`, id, name: id, org_id: 'acme', permissions: [] })),
    null,
    2,
  );

function watched(text: string) {
  const path = join(tempDir('keys'), 'keys.json');
  const log: { level: number; msg: string; problem?: string }[] = [];
  const logger = pino({}, { write: (line: string) => void log.push(JSON.parse(line)) });
  writeFileSync(path, text, { mode: 0o600 });
  const keys = watchApiKeys(path, logger);
  onTestFinished(() => keys.stop());
  return { path, keys, log };
}

test('a changed file counts from now on: new keys get in, and those taken out do not', async () => {
  const { path, keys } = watched(list('ada'));
  writeFileSync(path, list('bob'));
  await until('bob is known', () => keys.find('secret-bob'));
  expect(keys.find('secret-ada')).toBeUndefined();
  // As editors and mounts do it: another file takes its place.
  writeFileSync(`${path}.new`, list('eve'), { mode: 0o600 });
  renameSync(`${path}.new`, path);
  await until('eve is known', () => keys.find('secret-eve'));
});

test('a broken edit is told and leaves the last good keys; so does a missing file', async () => {
  const { path, keys, log } = watched(list('ada'));
  writeFileSync(path, '[{ "key": "secret-bob", "id": }]');
  const told = await until('it is told', () => log.find(({ level }) => level === 50));
  expect(told.msg).toBe('the API keys read before still hold');
  expect(told.problem).toMatch(/keys\.json.*line 1, column \d+/s);
  expect(JSON.stringify(log)).not.toContain('secret-');
  expect(keys.find('secret-ada')).toBeDefined();
  rmSync(path);
  await until('it is told', () => log.filter(({ level }) => level === 50).length === 2);
  expect(keys.find('secret-ada')).toBeDefined();
  writeFileSync(path, list('bob'));
  await until('the mended one counts', () => keys.find('secret-bob'));
});

test('a file that everybody on the machine can read is warned of', async () => {
  const { path, log } = watched(list('ada'));
  expect(log).toEqual([]);
  chmodSync(path, 0o644);
  await until('it is told', () => log.find(({ msg }) => msg.includes('can read the API keys')));
});

test('a file that is not there is told by its name', () => {
  expect(() => watchApiKeys('/nowhere/keys.json', pino({ level: 'silent' }))).toThrow(
    /^HOLDPOINT_API_KEYS: .*\/nowhere\/keys\.json/,
  );
});
