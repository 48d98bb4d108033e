import { describe, expect, test } from 'vitest';
import { collectInput, parseAnswer, parseCount, typedValues } from '../../src/cli/arguments.ts';

describe('--input', () => {
  test.each([
    [['a=1'], { a: '1' }],
    [['a=1', 'b='], { a: '1', b: '' }],
    [['a=1', 'a=2'], { a: '2' }],
    [['url=https://example.org/?x=1'], { url: 'https://example.org/?x=1' }],
    [['a={"b": [1]}'], { a: '{"b": [1]}' }],
  ])('%j gives %j', (given, inputs) => {
    expect(given.reduce((all: Record<string, unknown>, one) => collectInput(one, all as never), {})).toEqual(inputs);
  });

  test('a name that would reach the prototype is only a name', () => {
    const inputs = collectInput('__proto__=x');
    expect(Object.keys(inputs)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(inputs)).toBe(Object.prototype);
  });

  test.each(['', 'a', '=1'])('"%s" is refused with what to write', (given) => {
    expect(() => collectInput(given)).toThrow(`--input "${given}": write NAME=VALUE`);
  });
});

describe('an answer', () => {
  test.each([
    [['ship'], { choice: 'ship' }],
    [['do not ship'], { choice: 'do not ship' }],
    [['because a=b'], { choice: 'because a=b' }],
    [['complete', 'stdout=x'], { choice: 'complete', values: { stdout: 'x' } }],
    [['version=1.2'], { values: { version: '1.2' } }],
    [['version=1.2', 'channel=beta'], { values: { version: '1.2', channel: 'beta' } }],
  ])('%j is %j', (words, answer) => expect(parseAnswer(words)).toEqual(answer));

  test('values are read as what the form wants', () => {
    const form = {
      properties: {
        age: { type: 'integer' },
        tags: { type: 'array' },
        on: { type: 'boolean' },
        name: { type: 'string' },
      },
    };
    const typed = { age: '41', tags: '["a"]', on: 'true', name: '7', more: '1' };
    expect(typedValues(typed, form)).toEqual({ age: 41, tags: ['a'], on: true, name: '7', more: '1' });
    expect(typedValues({ age: '0x20' }, form)).toEqual({ age: '0x20' });
    expect(typedValues({ n: '2', m: 'x' }, { properties: { n: { enum: [1, 2] }, m: { enum: [1] } } })).toEqual({
      n: 2,
      m: 'x',
    });
  });

  test('two bare words are neither a choice nor values', () => {
    expect(() => parseAnswer(['do', 'ship'])).toThrow('the value "ship": write NAME=VALUE');
  });
});

test.each(['', '-1', '1.5', 'x'])('"%s" is no count', (text) => expect(() => parseCount(text)).toThrow('whole number'));
