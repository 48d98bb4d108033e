import { type FileHandle, open, readFile } from 'node:fs/promises';

/** The whole lines of a file of JSON lines, with where each ends; what follows the last of them was being written by a worker that died. */
export async function wholeLines(path: string): Promise<{ value: unknown; end: number }[]> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return Buffer.alloc(0);
  });
  const lines: { value: unknown; end: number }[] = [];
  for (let at = 0; ; ) {
    const end = bytes.indexOf(0x0a, at);
    if (end < 0) return lines;
    const value = parsed(bytes.toString('utf8', at, end));
    // A machine that lost its power may have lost what was written in between, and kept what came after it.
    if (value === undefined) return lines;
    lines.push({ value, end: end + 1 });
    at = end + 1;
  }
}

/** The lines of a file that others add to meanwhile, so that nothing of it is ever cut off; what cannot be read is passed over. */
export async function readableLines(path: string): Promise<{ values: unknown[]; whole: boolean }> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return '';
  });
  const values = text.split('\n').map(parsed);
  return { values: values.filter((value) => value !== undefined), whole: text === '' || text.endsWith('\n') };
}

/** Opens a file to go on with behind so many bytes; what comes after them is dropped. */
export async function openBehind(path: string, bytes: number): Promise<FileHandle> {
  const file = await open(path, 'a', 0o600);
  if ((await file.stat()).size !== bytes) await file.truncate(bytes);
  return file;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
