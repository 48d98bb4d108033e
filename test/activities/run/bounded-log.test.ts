import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BoundedLog, LOG_TAIL_BYTES } from '../../../src/activities/run/bounded-log.ts';
import { firstCharacters, TextTail } from '../../../src/activities/run/characters.ts';
import { tempDir } from '../../support/world.ts';

const dir = tempDir('log');
const MARK = /\n… (\d+) bytes dropped …\n/;

async function logged(text: string, headLimit: number, chunk: number) {
  const log = new BoundedLog(join(dir, 'log'), { headLimit });
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += chunk) await log.write(bytes.subarray(at, at + chunk));
  await log.end();
  return { log, written: readFileSync(log.path, 'utf8') };
}

test.each([1, 2, 3, 5, 7, 64, 100_000])(
  'in chunks of %i bytes no character is cut, and every byte is accounted for',
  async (chunk) => {
    for (const headLimit of [1_000, 1_001, 1_002, 1_003, 1_004]) {
      // Shifted, so that the tail begins in another part of a character each time.
      const text = 'aé≤😀'.repeat(30_000) + 'x'.repeat(headLimit - 1_000);
      const { log, written } = await logged(text, headLimit, chunk);
      const [head, dropped, tail] = written.split(MARK) as [string, string, string];
      expect(written).not.toContain('\ufffd');
      expect(text.startsWith(head)).toBe(true);
      expect(text.endsWith(tail)).toBe(true);
      expect(log.dropped).toBe(Number(dropped));
      expect(Buffer.byteLength(head) + Number(dropped) + Buffer.byteLength(tail)).toBe(Buffer.byteLength(text));
      expect(Buffer.byteLength(tail)).toBeGreaterThan(LOG_TAIL_BYTES - 4);
    }
  },
);

test('what fits into head and tail together is whole, without a mark', async () => {
  const text = `${'x'.repeat(9)}${'😀'.repeat(LOG_TAIL_BYTES / 4 - 1)}`;
  for (const headLimit of [8, 9, 10, 11, 12, 13]) {
    const { log, written } = await logged(text, headLimit, 1_000);
    expect(written === text).toBe(true);
    expect(log.dropped).toBe(0);
  }
});

test('the last bytes of a stream are whole characters, however it is cut into chunks', () => {
  const property = fc.property(fc.string({ unit: 'binary' }), fc.array(fc.nat(9)), fc.nat(40), (text, cuts, most) => {
    const bytes = Buffer.from(text);
    const tail = new TextTail(most + 4);
    let at = 0;
    for (const size of [...cuts, bytes.length]) {
      tail.write(bytes.subarray(at, at + size));
      at += size;
    }
    const shown = tail.text();
    expect(bytes.toString().endsWith(shown)).toBe(true);
    expect(Buffer.byteLength(shown)).toBeGreaterThan(Math.min(bytes.length, most + 4) - 4);
  });
  fc.assert(property, { numRuns: 300 });
});

test('a text is not cut inside a character', () => {
  expect([0, 1, 2, 3, 4].map((most) => firstCharacters('a😀b', most))).toEqual(['', 'a', 'a', 'a😀', 'a😀b']);
});
