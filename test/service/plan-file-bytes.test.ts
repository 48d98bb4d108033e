import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { Fault } from '../../src/faults.ts';
import { readPlanText } from '../../src/service/plan-file/bytes.ts';

const refusal = async (source: AsyncIterable<Uint8Array>) => {
  const fault = await readPlanText(source).then(
    () => expect.unreachable(),
    (error: Fault) => error,
  );
  return { code: fault.code, ...fault.errors![0] };
};
const chunks = (...list: (Buffer | number[])[]) => Readable.from(list.map((chunk) => Buffer.from(chunk as Buffer)));

test('bytes are one text, wherever they are cut, with or without a mark', async () => {
  const bytes = Buffer.from('\uFEFFname: "schön 🙂"\n');
  expect(await readPlanText(chunks(...[...bytes].map((byte) => [byte])))).toBe('name: "schön 🙂"\n');
  expect(await readPlanText(chunks())).toBe('');
});

test.each([
  ['a byte of Latin-1', [...Buffer.from('plan: 1\nname: sch'), 0xf6, 0x6e], 2, 10],
  ['a character that is cut off', [...Buffer.from('plan: 1\n'), 0xe2, 0x82], 2, 1],
  ['half of a pair', [0x61, 0xed, 0xa0, 0x80], 1, 2],
])('%s is refused with its place', async (_, bytes, line, column) =>
  expect(await refusal(chunks(bytes))).toMatchObject({
    code: 'PLAN_INVALID',
    message: 'this is not UTF-8',
    line,
    column,
  }),
);

test('UTF-16 is called so, with what to do', async () => {
  const little = Buffer.from('plan: 1', 'utf16le');
  for (const bytes of [little, Buffer.from(little).swap16(), Buffer.concat([Buffer.from([0xff, 0xfe]), little])])
    expect(await refusal(chunks(bytes))).toMatchObject({ message: 'this is UTF-16; save it as UTF-8' });
});

test('what never ends is left at the limit', async () => {
  const zero = createReadStream('/dev/zero');
  expect(await refusal(zero)).toMatchObject({ message: 'the plan file is larger than 2 MiB' });
  expect(zero.destroyed).toBe(true);
});
