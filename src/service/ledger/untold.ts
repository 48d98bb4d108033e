import { createHash } from 'node:crypto';
import { mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CallTold } from '../../plan/ledger.ts';

export interface Untold {
  org_id: string;
  settle: CallTold;
}

/** Settlements that the ledger has not yet, each a small file: an engine that is killed before it told them leaves them to the next. */
export interface UntoldSettlements {
  /** Once it resolves, the settlement survives the engine and its machine. */
  keep(untold: Untold): Promise<void>;
  told(id: string): Promise<void>;
  /** What is there now. */
  left(): Promise<Untold[]>;
}

export function untoldSettlements(folder: string): UntoldSettlements {
  const pathOf = (id: string) => join(folder, `${createHash('sha256').update(id).digest('hex').slice(0, 32)}.json`);
  let made: Promise<unknown> | undefined;
  return {
    async keep(untold) {
      made ??= mkdir(folder, { recursive: true });
      await made;
      const file = await open(pathOf(untold.settle.id), 'w', 0o600);
      try {
        await file.writeFile(JSON.stringify(untold));
        await file.datasync();
      } finally {
        await file.close();
      }
    },
    told: (id) => rm(pathOf(id), { force: true }),
    async left() {
      const names = await readdir(folder).catch(() => [] as string[]);
      return (await Promise.all(names.map((name) => read(join(folder, name))))).flat();
    },
  };
}

/** One that is not whole was never kept: its attempt has not ended by it, and tells it again. */
async function read(path: string): Promise<Untold[]> {
  try {
    const found = JSON.parse(await readFile(path, 'utf8')) as Partial<Untold>;
    return typeof found.org_id === 'string' && typeof found.settle?.id === 'string' ? [found as Untold] : [];
  } catch {
    return [];
  }
}
