import pc from 'picocolors';
import { expect, test } from 'vitest';
import { logPrinter } from '../../../src/cli/render/log-lines.ts';
import { fakeCli } from '../fake-cli.ts';

const LOG = { run: 1, task: 'a', attempt: 1, dispatch: 1 };

async function shown(chunks: string[], options: { coloured?: boolean; named?: boolean } = {}): Promise<string[]> {
  const { cli, out } = fakeCli({ coloured: options.coloured ?? false });
  const print = logPrinter(cli, { named: options.named ?? false });
  for (const text of chunks) await print.piece(LOG, { offset: 0, next: 0, text });
  await print.end();
  return out.flatMap((text) => text.split('\n'));
}

test.each<[string, string[], string[]]>([
  ['lines over the edges of pieces', ['a', 'b\nc', '\n'], ['ab', 'c']],
  ['CRLF, also over an edge', ['a\r\nb\r', '\nc'], ['a', 'b', 'c']],
  ['a progress bar', ['10%\r20%', '\r30%\n'], ['10%', '20%', '30%']],
  ['empty lines', ['a\n\nb'], ['a', '', 'b']],
  ['colours', ['\u001b[31mred\u001b[0m'], ['red']],
  ['what steers a terminal', ['a\u001b[2Jb\u001b]0;title\u0007c\u0000d\u009b5me\u0008\tf'], ['abcde\tf']],
  ['the mark of what was dropped', ['a\n… 1234567890 bytes dropped …\nb'], ['a', '… 1.2 GB left out …', 'b']],
  ['a line without end', ['x'.repeat(70_000)], ['x'.repeat(65_536), 'x'.repeat(4_464)]],
])('%s', async (_, chunks, lines) => {
  expect(await shown(chunks)).toEqual(lines);
});

test('on a terminal colours stay, over line breaks too, and nothing else that steers it', async () => {
  const lines = await shown(['\u001b[1;31mred\nstill\u001b[m \u001b[2Jplain\u001b]8;;x\u0007\nend'], {
    coloured: true,
  });
  expect(lines).toEqual(['\u001b[1;31mred\u001b[0m', '\u001b[1;31mstill\u001b[m plain\u001b[0m', 'end']);
});

test('names of tasks are coloured on a terminal, and plain elsewhere', async () => {
  expect(await shown(['x\n'], { named: true })).toEqual(['a | x']);
  expect(await shown(['x\n'], { named: true, coloured: true })).toEqual([`${pc.createColors(true).cyan('a')} | x`]);
});
