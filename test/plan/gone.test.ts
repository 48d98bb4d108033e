import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isWithin, type Span, spansIn, spansOutside } from '../../src/plan/gone.ts';

const place = fc.nat(30);
const span = fc.tuple(place, place).map(([a, b]): Span => [Math.min(a, b), Math.max(a, b) + 1]);

test('spans are cut at the edges of a piece; inside and outside of it together they are what they were', () => {
  fc.assert(
    fc.property(fc.array(span, { maxLength: 4 }), span, place, (spans, [from, to], n) => {
      const inPiece = from <= n && n < to;
      expect(isWithin(spansIn(spans, { from, to }), n)).toBe(inPiece && isWithin(spans, n));
      expect(isWithin(spansOutside(spans, { from, to }), n)).toBe(!inPiece && isWithin(spans, n));
    }),
  );
});
