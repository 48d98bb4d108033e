import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NotJson, parseJsonText } from '../../../src/activities/run/json-text.ts';

const parsed = (text: string): unknown => {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return 'not JSON';
  }
};

test('a text is JSON or not as the platform says, and a fault has its place within the text', () => {
  const broken = fc.tuple(fc.json(), fc.nat(), fc.constantFrom('', '"', '{', ']', ',', ':', '0', 'x', '\\', '\n'));
  const property = fc.property(broken, ([json, at, piece]) => {
    const i = at % (json.length + 1);
    const text = json.slice(0, i) + piece + json.slice(i + (at % 2));
    let seen: unknown;
    try {
      seen = { value: parseJsonText(text) };
    } catch (error) {
      expect(error).toBeInstanceOf(NotJson);
      const [, line, column] = /^line (\d+), column (\d+): /.exec((error as NotJson).message)!;
      const lines = text.split('\n');
      expect(Number(line)).toBeLessThanOrEqual(lines.length);
      expect(Number(column)).toBeLessThanOrEqual(lines[Number(line) - 1]!.length + 1);
      seen = 'not JSON';
    }
    expect(seen).toEqual(parsed(text));
  });
  fc.assert(property, { numRuns: 3_000 });
});

test('a fault at the end of megabytes is found in moments', () => {
  const began = performance.now();
  expect(() => parseJsonText(`["${'\\n'.repeat(3_000_000)}", ${'1,'.repeat(500_000)}]`)).toThrow('unexpected "]"');
  expect(performance.now() - began).toBeLessThan(5_000);
});
