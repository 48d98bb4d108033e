import { describe, expect, test } from 'vitest';
import { cursorOf, tokenIn } from '../../src/service/list-cursor.ts';

const TOKEN = Buffer.from('{"SearchAfter":[1700000000000,"x"]}');
const given = Buffer.from(cursorOf('list', TOKEN), 'base64url');
const refused = expect.objectContaining({ code: 'REQUEST_INVALID', message: 'cursor: not one that a list gave' });

test('a cursor has the token that it was made of', () => {
  expect(Buffer.from(tokenIn(given.toString('base64url'), 'list'))).toEqual(TOKEN);
});

describe('a cursor that no list gave is refused before Temporal is asked', () => {
  test('cut anywhere', () => {
    for (let length = 0; length < given.length; length++)
      expect(() => tokenIn(given.subarray(0, length).toString('base64url'), 'list'), `${length}`).toThrow(refused);
  });

  test('with a byte changed, or one more', () => {
    for (let i = 9; i < given.length; i++) {
      const changed = Buffer.from(given);
      changed[i]! ^= 1;
      expect(() => tokenIn(changed.toString('base64url'), 'list'), `${i}`).toThrow(refused);
    }
    const more = Buffer.concat([given, Buffer.from('}')]);
    expect(() => tokenIn(more.toString('base64url'), 'list')).toThrow(refused);
  });
});
