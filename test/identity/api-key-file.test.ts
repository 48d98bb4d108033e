import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Fault, Problem } from '../../src/faults.ts';
import { parseApiKeys } from '../../src/identity/api-key-file.ts';
import { findKey } from '../../src/identity/api-keys.ts';

const entry = (more: object = {}) => ({
  key: 'secret-ada',
  id: 'ada',
  name: 'Ada L.',
  org_id: 'acme',
  permissions: ['plan:read'],
  ...more,
});
const read = (...entries: object[]) => parseApiKeys(JSON.stringify(entries), '/keys.json');
const faultOf = (text: string): Fault => {
  try {
    parseApiKeys(text, '/keys.json');
  } catch (error) {
    return error as Fault;
  }
  throw new Error('nothing was wrong');
};

describe('a key file', () => {
  test('gives its entries without the keys', () => {
    const key_sha256 = createHash('sha256').update('secret-bob').digest('hex').toUpperCase();
    const keys = read(
      entry(),
      entry({ key: undefined, key_sha256, id: 'bob', expires_at: '2030-01-31T09:00:00+01:00' }),
    );
    expect(JSON.stringify(keys)).not.toContain('secret');
    expect(findKey(keys, 'secret-ada')).toMatchObject({ id: 'ada', name: 'Ada L.', org_id: 'acme' });
    expect(findKey(keys, 'secret-bob')).toMatchObject({ id: 'bob', expires_at: Date.UTC(2030, 0, 31, 8) });
    expect(findKey(keys, 'secret-eve')).toBeUndefined();
    expect(findKey(keys, '')).toBeUndefined();
  });

  test('may be empty: then nobody gets in', () => expect(read()).toEqual([]));

  test.each<[string, object, string, (string | number)[]]>([
    ['no key', { key: undefined }, 'has to have either `key` or `key_sha256`', [0]],
    ['both forms of a key', { key_sha256: 'a'.repeat(64) }, 'has to have either `key` or `key_sha256`', [0]],
    ['a short key', { key: 'secret' }, 'is shorter than 8 characters', [0, 'key']],
    ['a key with a space', { key: 'secret ada' }, 'has to be printable ASCII without spaces', [0, 'key']],
    ['a key of another type', { key: 12345678 }, 'has to be text', [0, 'key']],
    [
      'a hash that is none',
      { key: undefined, key_sha256: 'abc' },
      'has to be 64 hexadecimal digits',
      [0, 'key_sha256'],
    ],
    ['no name', { name: undefined }, '`name` is missing', [0, 'name']],
    ['a name with a line break', { name: 'Ada\nEve' }, 'has to be one line of plain text', [0, 'name']],
    ['a name that turns around what follows', { name: 'a\u202eb' }, 'has to be one line of plain text', [0, 'name']],
    [
      'an unknown permission',
      { permissions: ['plan:raed'] },
      'is the text "plan:raed"; it has to be one of',
      [0, 'permissions', 0],
    ],
    ['a slip of a word', { organisation: 'acme' }, 'unknown word "organisation"', [0, 'organisation']],
    ['a time that is none', { expires_at: 'tomorrow' }, 'is not a time', [0, 'expires_at']],
    ...['', 'a/b', '../acme', "a'b", 'a"b', 'a\\b', 'ácme', '%61', 'a b', '-a', '.', 'a'.repeat(65)].map(
      (org_id): [string, object, string, (string | number)[]] => [
        `the organisation "${org_id}"`,
        { org_id },
        'has to be 1 to 64 letters, digits',
        [0, 'org_id'],
      ],
    ),
  ])('with %s is refused, with the place', (_, more, message, path) => {
    const fault = faultOf(JSON.stringify([entry(more)], null, 2));
    expect(fault.code).toBe('CONFIG_INVALID');
    expect(fault.message).toContain('/keys.json: line ');
    expect(fault.errors).toEqual([
      { message: expect.stringContaining(message), path, line: expect.any(Number), column: expect.any(Number) },
    ] satisfies Problem[]);
    expect(fault.message).not.toMatch(/secret/);
  });

  test('tells all its faults', () => {
    const { message } = faultOf(JSON.stringify([entry({ name: 1 }), entry(), entry({ org_id: 'b/c', id: 'bob' })]));
    expect(message).toMatch(/ has 2 problems:\n {2}line 1, .*0\.name: .*\n {2}line 1, .*2\.org_id: /);
  });

  test('names the same caller or the same key twice', () => {
    const { message } = faultOf(JSON.stringify([entry(), entry({ key: 'secret-two' }), entry({ id: 'bob' })]));
    expect(message).toContain('1.id: "ada" of acme is in the list twice');
    expect(message).toContain('2: has the same key as an entry before it');
  });

  test.each(['', '{', '[{"key": "secret-ada", "id" "x"}]', '{}', '"secret-ada"'])(
    '%j is refused without a key',
    (text) => {
      const { message } = faultOf(text);
      expect(message).toMatch(/^the API keys in \/keys\.json/);
      expect(message).not.toContain('secret');
    },
  );
});
