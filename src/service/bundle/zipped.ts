import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { Entry } from './entry.ts';

interface Listed {
  path: string;
  bytes?: number;
  sha256?: string;
  task?: string;
  output?: string;
  /** Why it is not there, or is not what it was. */
  problem?: string;
}

/** A zip of these entries, one read after the other, with `manifest.json` as its last. */
export function zipped(entries: readonly Entry[], head: object): Readable {
  const zip = new ZipFile();
  const files: Listed[] = [];
  const out = zip.outputStream as Readable;
  let reading: Readable | undefined;
  zip.on('error', (error: Error) => out.destroy(error));
  out.once('close', () => reading?.destroy());
  const add = (path: string, compress: boolean, open: () => AsyncIterable<Buffer>) =>
    zip.addReadStreamLazy(path, { compress }, (give) => {
      reading = Readable.from(open());
      // Nobody waits for the stream of one entry: what it meets ends the whole.
      reading.on('error', (error) => out.destroy(error));
      give(null, reading);
    });
  for (const entry of entries) {
    if (entry.open) add(entry.path, !entry.asIs, () => measured(entry, (listed) => files.push(listed)));
    else files.push({ path: entry.path, ...entry.about, sha256: entry.sha256, problem: 'it is gone' });
  }
  add('manifest.json', true, async function* () {
    yield Buffer.from(`${JSON.stringify({ ...head, files }, null, 2)}\n`);
  });
  zip.end();
  return out;
}

/** What an entry holds, told when it has been read. */
async function* measured({ path, open, sha256, about }: Entry, tell: (listed: Listed) => void): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of await open!()) {
    hash.update(chunk);
    bytes += chunk.length;
    yield chunk;
  }
  const found = hash.digest('hex');
  const differs = sha256 !== undefined && sha256 !== found;
  tell({ path, bytes, sha256: found, ...about, ...(differs && { problem: `it was changed; it was ${sha256}` }) });
}
