import { describe, expect, test } from 'vitest';
import { ansiReader } from '../../src/console/plan/logs/ansi.ts';
import { find } from '../../src/console/plan/logs/find.ts';
import { logBuffer } from '../../src/console/plan/logs/log-buffer.ts';
import { plainText } from '../../src/console/ui/plain-text.ts';

const ESC = '\u001b';

/** A buffer that was given these texts as one attempt's log, piece by piece. */
function bufferOf(...texts: string[]) {
  const buffer = logBuffer();
  let offset = 0;
  for (const text of texts) {
    const next = offset + Buffer.byteLength(text);
    buffer.take({ run: 1, attempt: 1, dispatch: 1, offset, next, text });
    offset = next;
  }
  return buffer;
}
const shown = ({ lines }: ReturnType<typeof logBuffer>) => lines.map(({ number, text }) => `${number ?? ''} ${text}`);

describe('the lines of a log', () => {
  test('are put together from pieces that end anywhere', () => {
    expect(shown(bufferOf('a\nb', 'c\n', '\nd'))).toEqual(['1 a', '2 bc', '3 ', '4 d']);
  });

  test('that are written over show what stands there at last', () => {
    expect(shown(bufferOf('1%\r50%\r100%\nok\r\n'))).toEqual(['1 100%', '2 ok']);
  });

  test('that are very long are cut, and counted once', () => {
    const { lines } = bufferOf('x'.repeat(12_000), 'x'.repeat(13_000), '\nnext\n');
    expect(lines.map(({ text, number }) => [text.length, number])).toEqual([
      [10_000, 1],
      [10_000, undefined],
      [5_000, undefined],
      [4, 2],
    ]);
  });

  test('begin anew with another attempt', () => {
    const buffer = bufferOf('one\ntw');
    buffer.take({ run: 1, attempt: 2, dispatch: 1, offset: 0, next: 4, text: 'two\n' });
    expect(shown(buffer)).toEqual(['1 one', '2 tw', ' Run 1, attempt 2', '1 two']);
  });

  test('have no numbers where the beginning was not read', () => {
    const buffer = logBuffer();
    buffer.take({ run: 1, attempt: 1, dispatch: 1, offset: 5_000, next: 5_004, text: 'a\nb\n' });
    expect(shown(buffer)).toEqual([' a', ' b']);
    expect(buffer.skipped).toBe(5_000);
  });

  test('say how much was not kept', () => {
    expect(shown(bufferOf('a\n… 1936012345 bytes dropped …\ny\nz\n'))).toEqual([
      '1 a',
      ' 1.9 GB of the output were not kept',
      ' y',
      ' z',
    ]);
  });

  test('are let go of when there are too many, the first ones first', () => {
    const buffer = bufferOf(Array.from({ length: 60_000 }, (_, i) => `${i}\n`).join(''));
    expect(buffer.lines.length).toBeLessThanOrEqual(50_000);
    expect(buffer.first + buffer.lines.length).toBe(60_000);
    expect(buffer.lines.at(-1)).toEqual({ number: 60_000, text: '59999' });
  });
});

describe('colours', () => {
  test('hold until another is chosen, over lines', () => {
    const read = ansiReader();
    expect(read(`${ESC}[31mred`)).toEqual({ text: 'red', styles: [{ from: 0, to: 3, className: 'ansi-red' }] });
    expect(read(`still ${ESC}[1mbold${ESC}[0m plain`)).toEqual({
      text: 'still bold plain',
      styles: [
        { from: 0, to: 6, className: 'ansi-red' },
        { from: 6, to: 10, className: 'ansi-red ansi-bold' },
      ],
    });
    expect(read('plain')).toEqual({ text: 'plain' });
  });

  test('of 256 and of millions are colours of their own', () => {
    const read = ansiReader();
    expect(read(`${ESC}[38;5;208ma${ESC}[38;5;244mb${ESC}[38;2;1;2;3mc`).styles).toEqual([
      { from: 0, to: 1, className: 'ansi-any', colour: 'rgb(255 135 0)' },
      { from: 1, to: 2, className: 'ansi-any', colour: 'rgb(128 128 128)' },
      { from: 2, to: 3, className: 'ansi-any', colour: 'rgb(1, 2, 3)' },
    ]);
  });

  test('stay, and nothing else that steers a terminal', () => {
    const read = ansiReader();
    expect(read(`${ESC}]0;title\u0007a${ESC}[2Kb\u0008c${ESC}(Bd\te`)).toEqual({ text: 'abcd\te' });
    expect(plainText(`exit code 3: ${ESC}[31mred${ESC}[0m\nmore`)).toBe('exit code 3: red\nmore');
  });
  test('are marks where they turn the direction of letters', () => {
    expect(plainText('\u202eyes')).toBe('⟨U+202E⟩yes');
    expect(plainText('a\u2066b\u2069\u200f\u061c')).toBe('a⟨U+2066⟩b⟨U+2069⟩⟨U+200F⟩⟨U+061C⟩');
    expect(plainText('שלום')).toBe('שלום');
    expect(ansiReader()(`${ESC}[31m\u202eyes`).text).toBe('⟨U+202E⟩yes');
  });
});

test('a search finds what is written in small or large letters, and takes no sign as a pattern', () => {
  const { lines } = bufferOf('a.b A.B\naxb\nİstanbul a.b\n');
  expect(find(lines, 'a.b')).toEqual([
    { line: 0, from: 0, to: 3 },
    { line: 0, from: 4, to: 7 },
    { line: 2, from: 9, to: 12 },
  ]);
});
