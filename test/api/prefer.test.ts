import { expect, test } from 'vitest';
import { preferences } from '../../src/api/prefer.ts';

test.each([
  [undefined, {}],
  ['', {}],
  ['handling=strict', { handling: 'strict' }],
  ['Handling = "strict"', { handling: 'strict' }],
  ['respond-async, wait=10;x=","; y, handling=strict', { 'respond-async': '', wait: '10', handling: 'strict' }],
  ['foo="a, handling=lenient", handling=strict', { foo: 'a, handling=lenient', handling: 'strict' }],
  ['handling=strict, handling=lenient', { handling: 'strict' }],
  ['a="say \\"hi\\"",,b', { a: 'say "hi"', b: '' }],
  ['a="unended, handling=strict', { a: '' }],
])('Prefer: %s', (header, expected) => {
  expect(Object.fromEntries(preferences(header))).toEqual(expected);
});

test('a header made to hurt is read in no time', () => {
  const start = performance.now();
  for (const hurt of ['"\\'.repeat(8_000), `a=${'"\\"'.repeat(5_000)}`, `a${' ;'.repeat(8_000)}`, ' ,'.repeat(8_000)])
    preferences(hurt);
  expect(performance.now() - start).toBeLessThan(500);
});
