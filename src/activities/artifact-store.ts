import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { StoredValue } from '../contract/payloads.ts';
import type { Json } from '../plan/json.ts';

const SHOWN_BYTES = 512;

/** Values too large to travel, in files named by their own SHA-256. What is there is whole: files appear by link. */
export interface ArtifactStore {
  /** Takes over a finished file; gives the reference that stands in its place. */
  putFile(path: string): Promise<StoredValue>;
  putText(text: string): Promise<StoredValue>;
  /** Keeps a value as JSON; readers of the reference get the value. */
  putJson(value: Json): Promise<Json>;
  /** The text of a reference; throws when it is gone or is not what it was. */
  text(stored: StoredValue): Promise<string>;
}

export function fileArtifactStore(root: string): ArtifactStore {
  const pathOf = (sha256: string) => join(root, sha256.slice(0, 2), sha256);

  async function putFile(path: string): Promise<StoredValue> {
    const hash = createHash('sha256');
    await pipeline(createReadStream(path), hash);
    const sha256 = hash.digest('hex');
    const target = pathOf(sha256);
    await mkdir(dirname(target), { recursive: true });
    await link(path, target).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    return { $stored: { sha256, ...(await ends(target)) } };
  }

  async function putText(text: string): Promise<StoredValue> {
    await mkdir(root, { recursive: true });
    const path = join(root, `.${randomUUID()}`);
    const file = await open(path, 'wx', 0o600);
    await file.writeFile(text).finally(() => file.close());
    return await putFile(path).finally(() => rm(path, { force: true }));
  }

  return {
    putFile,
    putText,
    async putJson(value) {
      const { $stored } = await putText(JSON.stringify(value));
      const { sha256, bytes } = $stored;
      return { $stored: { sha256, bytes, json: true } };
    },
    async text({ $stored: { sha256 } }) {
      if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error('a stored output is named by 64 hexadecimal digits');
      const bytes = await readFile(pathOf(sha256)).catch(() => {
        throw new Error(`the stored output ${sha256.slice(0, 12)} is gone from the artifact store`);
      });
      if (createHash('sha256').update(bytes).digest('hex') !== sha256)
        throw new Error(`the stored output ${sha256.slice(0, 12)} was changed after it was stored`);
      return bytes.toString('utf8').replace(/\r?\n$/, '');
    },
  };
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
    const head = new TextDecoder().decode(await read(0), { stream: bytes > SHOWN_BYTES });
    const last = await read(Math.max(0, bytes - SHOWN_BYTES));
    const start = bytes > SHOWN_BYTES ? last.findIndex((byte) => (byte & 0xc0) !== 0x80) : 0;
    return { bytes, head, tail: last.subarray(Math.max(0, start)).toString('utf8') };
  } finally {
    await file.close();
  }
}

export const isStored = (value: unknown): value is StoredValue =>
  typeof value === 'object' && value !== null && '$stored' in value;
