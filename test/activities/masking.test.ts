import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maskOf } from '../../src/activities/masking.ts';

test.each([
  ['as it is', 'token=s3cret/+value!', 'token=***'],
  ['twice', 's3cret/+value! s3cret/+value!', '*** ***'],
  ['in a URL', '?t=s3cret%2F%2Bvalue!', '?t=***'],
  ['in the query of a URL', `?${new URLSearchParams({ t: 's3cret/+value!' })}`, '?t=***'],
])('a secret is masked %s', (_, text, masked) => expect(maskOf(['s3cret/+value!']).text(text)).toBe(masked));

test('in base64, wherever in a text it begins', () => {
  const mask = maskOf(['correct-horse']);
  for (const before of ['', 'u', 'us', 'user:'])
    for (const form of ['base64', 'base64url'] as const) {
      const shown = mask.text(Buffer.from(`${before}correct-horse!`).toString(form));
      expect(shown).toContain('***');
      expect(Buffer.from(shown.replace('***', ''), form).toString()).not.toContain('horse');
    }
});

test.each(['correct-horse', 'correct-horses', 'correct-horse-b'])('in base64, to its last byte: %s', (secret) => {
  const mask = maskOf([secret]);
  for (const after of ['', '\n', '\r\n'])
    for (const form of ['base64', 'base64url'] as const)
      for (const before of ['', 'u', 'us'])
        expect(mask.text(Buffer.from(before + secret + after).toString(form))).toMatch(/^.{0,3}\*\*\*$/);
});

test('in any case: names of hosts lose theirs', () => {
  const mask = maskOf(['S3cr3tValue99', 'Schlüssel-Ü']);
  expect(mask.text('getaddrinfo ENOTFOUND s3cr3tvalue99.invalid S3CR3TVALUE99')).toBe(
    'getaddrinfo ENOTFOUND ***.invalid ***',
  );
  expect(mask.text('SCHLÜSSEL-Ü schlüssel-ü')).toBe('*** ***');
  const stream = mask.stream()!;
  expect(['Ask s3cr3t', 'VALUE99.'].map((text) => stream.write(Buffer.from(text)).toString())).toEqual([
    'Ask ',
    '***.',
  ]);
});

test('of several lines, whole and line by line, and in JSON', () => {
  const key = '-----BEGIN-----\nabcdefgh"ij\n-----END-----\n';
  const mask = maskOf([key]);
  expect(mask.text(`<${key.trim()}>`)).toBe('<***>');
  expect(mask.text('> abcdefgh"ij <')).toBe('> *** <');
  expect(mask.text(JSON.stringify({ key: key.trim() }))).toBe('{"key":"***"}');
});

test('in values and keys of any depth, and as a number', () =>
  expect(maskOf(['123456']).json({ a: ['x123456', 123456, 1234567], 123456: true, b: null })).toEqual({
    a: ['x***', '***', 1234567],
    '***': true,
    b: null,
  }));

test('values of less than 4 characters are not masked: they would be found everywhere', () =>
  expect(maskOf(['abc', '', ' x ']).text('abc x')).toBe('abc x'));

test('of two secrets, one inside the other, nothing is left of the longer', () => {
  expect(maskOf(['abcd', 'abcdef']).text('abcdef abcde')).toBe('*** ***e');
  const stream = maskOf(['abcd', 'abcdef']).stream()!;
  expect(['abcd', 'ef', '-abcd'].map((text) => stream.write(Buffer.from(text)).toString())).toEqual(['', '***', '-']);
  expect(stream.end().toString()).toBe('***');
});

test('wherever a stream is cut, what it shows is what the whole shows, and holds no secret', () => {
  const secrets = ['s3cret', 'S3CRETb', 'aaaa', 'aabaab', 'schlüssel-ü', '12\n34567890'];
  const piece = fc.constantFrom(
    ...secrets,
    's3',
    'cret',
    'S3C',
    'RET',
    'a',
    'b',
    'aa',
    'ü',
    'schl',
    '\n',
    ' ',
    '12',
    'x',
  );
  const mask = maskOf(secrets);
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), fc.array(fc.nat(8), { minLength: 1 }), (pieces, cuts) => {
      const bytes = Buffer.from(pieces.join(''));
      const stream = mask.stream()!;
      const shown: Buffer[] = [];
      for (let at = 0, k = 0; at < bytes.length; k++) {
        const size = cuts[k % cuts.length]! + 1;
        shown.push(stream.write(bytes.subarray(at, at + size)));
        at += size;
      }
      const all = Buffer.concat([...shown, stream.end()]).toString();
      expect(all).toBe(mask.text(bytes.toString()));
      for (const secret of secrets) expect(all).not.toContain(secret);
    }),
    { numRuns: 500 },
  );
});

test('without secrets nothing is looked at', () => expect(maskOf([]).stream()).toBeUndefined());
