import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseApiKeys } from '../../src/identity/api-key-file.ts';
import { findKey } from '../../src/identity/api-keys.ts';
import type { Caller } from '../../src/service/caller.ts';
import { tempDir } from '../support/world.ts';
import { fakeCli } from './fake-cli.ts';

test('key makes a key, shows it once beside the output, and its entry as the file takes it', async () => {
  const { run, out, err } = fakeCli();
  const words = ['--org', 'acme', '--name', 'Ada L.', '--permission', 'plan:read', 'plan:approve'];
  expect(await run('key', 'ada', ...words, '--expires', '2999-01-31T09:00:00Z')).toBe(0);
  const key = /hp_[\w-]{43}$/.exec(err.join('\n'))![0];
  expect(out.join('\n')).not.toContain(key);
  expect(findKey(parseApiKeys(`[${out.join('\n')}]`, 'keys.json'), key)).toMatchObject({
    id: 'ada',
    name: 'Ada L.',
    org_id: 'acme',
    permissions: ['plan:read', 'plan:approve'],
    expires_at: Date.UTC(2999, 0, 31, 9),
  });
});

test('key --json gives both as JSON', async () => {
  const { run, out } = fakeCli();
  expect(await run('key', 'ada', '--org', 'acme', '--json')).toBe(0);
  const { key, entry } = JSON.parse(out.join('\n'));
  expect(findKey(parseApiKeys(JSON.stringify([entry]), 'keys.json'), key)).toMatchObject({ name: 'ada' });
});

test.each([
  [['key', 'ada'], 'required option'],
  [['key', 'ada', '--org', 'a/b'], 'org_id: has to be 1 to 64 letters'],
  [
    ['key', 'ada', '--org', 'acme', '--permission', 'all'],
    'permissions.0: is the text "all"; it has to be one of plan:read',
  ],
  [['key', 'ada', '--org', 'acme', '--expires', 'soon'], 'expires_at: is not a time'],
])('%j is refused', async (words, why) => {
  const { run, out, err } = fakeCli();
  expect(await run(...words)).toBe(2);
  expect(err.join('\n')).toContain(why);
  expect(out).toEqual([]);
});

const keysFile = () => {
  const path = join(tempDir('keys'), 'keys.json');
  const entry = { key: 'secret-bob', id: 'bob', name: 'Bob', org_id: 'acme', permissions: ['plan:read'] };
  writeFileSync(path, JSON.stringify([entry]), { mode: 0o600 });
  return path;
};

test('with HOLDPOINT_API_KEY, commands act as whom the key belongs to', async () => {
  const callers: Caller[] = [];
  const list = async (caller: Caller) => {
    callers.push(caller);
    return { plans: [], next_cursor: null };
  };
  const env = { HOLDPOINT_API_KEY: 'secret-bob', HOLDPOINT_API_KEYS: keysFile() };
  expect(await fakeCli({ service: { list }, env }).run('ls')).toBe(0);
  expect(await fakeCli({ service: { list } }).run('ls')).toBe(0);
  expect(callers).toMatchObject([
    { principal: { id: 'bob', name: 'Bob', org_id: 'acme' }, permissions: ['plan:read'], trigger: 'cli ls' },
    { principal: { id: 'local', org_id: 'local' } },
  ]);
});

test.each([
  [{ HOLDPOINT_API_KEY: 'secret-eve', HOLDPOINT_API_KEYS: keysFile() }, 4, /the key in HOLDPOINT_API_KEY is not in /],
  [{ HOLDPOINT_API_KEY: 'secret-bob' }, 2, /not HOLDPOINT_API_KEYS/],
  [{ HOLDPOINT_API_KEY: 'secret-bob', HOLDPOINT_API_KEYS: '/nowhere' }, 2, /HOLDPOINT_API_KEYS: .*\/nowhere/],
])('%j ends with %i, before an engine is looked for', async (env, code, why) => {
  const { run, err, connects } = fakeCli({ env });
  expect(await run('ls')).toBe(code);
  expect(err.join('\n')).toMatch(why);
  expect(connects).toEqual([]);
});
