import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import {
  copyFile as copy,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { StoredValue } from '../contract/payloads.ts';
import type { Json } from '../plan/json.ts';
import { clearedFolder, isName, onRecord, putAway, recordFolder } from './artifact-records.ts';
import { hashOf } from './hash-of.ts';

const SHOWN_BYTES = 512;

/** Names of what is not whole yet, or is put aside, beside what is stored. */
export const NOT_WHOLE = /^\.[0-9a-f-]{36}$/;

/** What was stored is no longer there, or is not what it was; asking again does not bring it back. */
export class ArtifactGone extends Error {
  override readonly name = 'ArtifactGone';
}

/** Values too large to travel, in files named by their own SHA-256. What is there is whole: files appear by link. */
export interface ArtifactStore {
  /** Takes over a finished file; gives the reference that stands in its place. */
  putFile(path: string): Promise<StoredValue>;
  putText(text: string): Promise<StoredValue>;
  /** Keeps a value as JSON; readers of the reference get the value. `refs`: it holds references, which are followed. */
  putJson(value: Json, options?: { refs?: true }): Promise<Json>;
  /** Keeps a copy of a file that somebody may change later. */
  copyFile(path: string, signal: AbortSignal): Promise<KeptFile>;
  /** The text of a reference; throws when it is gone or is not what it was. */
  text(stored: StoredValue): Promise<string>;
  /** A file on this machine that holds it, below a folder; undefined when it is gone. */
  file(sha256: string): Promise<LocalFile | undefined>;
  /**
   * The same store for one plan: it puts on record what it stores, and gives only what is on record. Whoever merely writes
   * the name of what another plan stored does not get it.
   */
  ofPlan(planId: string): ArtifactStore;
  /** The names of all that a plan has stored. */
  storedBy(planId: string): Promise<ReadonlySet<string>>;
  /** Puts away the record of what a plan has stored until now, once for each `mark`: it is the plan's no longer. */
  clear(planId: string, mark: string): Promise<void>;
}

/** `path` is relative to `root`, which is absolute. */
export interface LocalFile {
  root: string;
  path: string;
  bytes: number;
}

export interface KeptFile {
  sha256: string;
  bytes: number;
}

export function fileArtifactStore(root: string): ArtifactStore {
  const placeOf = (sha256: string) => join(sha256.slice(0, 2), sha256);
  const pathOf = (sha256: string) => join(root, placeOf(sha256));

  async function putFile(path: string): Promise<StoredValue> {
    const hash = createHash('sha256');
    await pipeline(createReadStream(path), hash);
    const sha256 = hash.digest('hex');
    return { $stored: { sha256, ...(await ends(await takeOver(path, sha256))) } };
  }

  async function takeOver(path: string, sha256: string): Promise<string> {
    const target = pathOf(sha256);
    await mkdir(dirname(target), { recursive: true });
    await link(path, target).catch(async (error: NodeJS.ErrnoException) => {
      // What comes from another disk is copied to this one first, so that it is never seen by half.
      if (error.code === 'EXDEV')
        return await beside(async (here) => {
          await copy(path, here);
          await takeOver(here, sha256);
        });
      if (error.code !== 'EEXIST') throw error;
      // What was spoilt since is put right; what is whole is seen to be wanted again.
      if ((await hashOf(target).catch(() => '')) === sha256) await utimes(target, new Date(), new Date());
      else await beside(async (again) => link(path, again).then(() => rename(again, target)));
    });
    return target;
  }

  /** A place beside what is stored, on the same disk, for what is not whole yet. */
  async function beside<T>(use: (path: string) => Promise<T>): Promise<T> {
    await mkdir(root, { recursive: true });
    const path = join(root, `.${randomUUID()}`);
    return await use(path).finally(() => rm(path, { force: true }));
  }

  const putText = (text: string) =>
    beside(async (path) => {
      await writeFile(path, text, { flag: 'wx', mode: 0o600 });
      return await putFile(path);
    });

  const store: ArtifactStore = {
    putFile,
    putText,
    async putJson(value, { refs } = {}) {
      const { sha256, bytes } = (await putText(JSON.stringify(value))).$stored;
      return { $stored: { sha256, bytes, json: true, ...(refs && { refs }) } };
    },
    copyFile: (from, signal) =>
      beside(async (path) => {
        const hash = createHash('sha256');
        let bytes = 0;
        const measure = async function* (chunks: AsyncIterable<Buffer>) {
          for await (const chunk of chunks) {
            hash.update(chunk);
            bytes += chunk.length;
            yield chunk;
          }
        };
        // The hash is that of the copy, even if the file changes meanwhile.
        await pipeline(createReadStream(from), measure, createWriteStream(path, { flags: 'wx', mode: 0o600 }), {
          signal,
        });
        const sha256 = hash.digest('hex');
        await takeOver(path, sha256);
        return { sha256, bytes };
      }),
    async file(sha256) {
      const found = isName(sha256) ? await lstat(pathOf(sha256)).catch(() => undefined) : undefined;
      return found?.isFile() ? { root, path: placeOf(sha256), bytes: found.size } : undefined;
    },
    async text({ $stored: { sha256 } }) {
      if (!isName(sha256)) throw new ArtifactGone('a stored output is named by 64 hexadecimal digits');
      const bytes = await readFile(pathOf(sha256)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
        throw new ArtifactGone(`the stored output ${sha256.slice(0, 12)} is gone from the artifact store`);
      });
      if (createHash('sha256').update(bytes).digest('hex') !== sha256)
        throw new ArtifactGone(`the stored output ${sha256.slice(0, 12)} was changed after it was stored`);
      return bytes.toString('utf8').replace(/\r?\n$/, '');
    },
    ofPlan: (planId) => onRecord(store, recordFolder(root, planId)),
    async storedBy(planId) {
      const names = await readdir(recordFolder(root, planId)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
        return [];
      });
      return new Set(names.filter(isName));
    },
    clear: (planId, mark) => putAway(recordFolder(root, planId), clearedFolder(root, mark)),
  };
  return store;
}

/** Size, and the first and last characters of a file, never cut inside one. */
async function ends(path: string): Promise<{ bytes: number; head: string; tail: string }> {
  const file = await open(path, 'r');
  try {
    const { size: bytes } = await file.stat();
    const read = async (position: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(SHOWN_BYTES), 0, SHOWN_BYTES, position);
      return buffer.subarray(0, bytesRead);
    };
    const head = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await read(0), { stream: bytes > SHOWN_BYTES });
    const last = await read(Math.max(0, bytes - SHOWN_BYTES));
    const start = bytes > SHOWN_BYTES ? last.findIndex((byte) => (byte & 0xc0) !== 0x80) : 0;
    return { bytes, head, tail: last.subarray(Math.max(0, start)).toString('utf8') };
  } finally {
    await file.close();
  }
}

export const isStored = (value: unknown): value is StoredValue =>
  typeof value === 'object' && value !== null && '$stored' in value;
