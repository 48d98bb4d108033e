import { randomUUID } from 'node:crypto';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { NOT_WHOLE } from './artifact-store.ts';
import { runsFolder } from './stores.ts';

export interface CollectOptions {
  /** Whether there still is a plan of this id. */
  knows(planId: string): boolean;
  /** What was touched since, ms since the epoch, is left alone: it may belong to what has just begun. */
  before: number;
  /** Else it only tells. */
  remove: boolean;
}

export interface Collected {
  /** Plans that are no more, whose files are. */
  plans: string[];
  /** Stored files that no plan refers to, and their size. */
  artifacts: number;
  bytes: number;
}

/** Finds, and removes, what plans that are no more have left in a home, and stored files that no plan refers to. */
export async function collect(home: string, { knows, before, remove }: CollectOptions): Promise<Collected> {
  const [runs, store] = [runsFolder(home), join(home, 'artifacts')];
  const records = join(store, 'plans');
  const ids = new Set([...(await namesIn(runs)), ...(await namesIn(records))].filter(isPlanId));
  const plans: string[] = [];
  for (const id of ids) {
    const folders = [join(runs, id), join(records, id)];
    if (knows(id) || (await touchedSince(folders, before))) continue;
    plans.push(id);
    if (remove) for (const folder of folders) await rm(folder, { recursive: true, force: true });
  }
  if (remove) await rm(join(store, 'cleared'), { recursive: true, force: true });
  await removeHalves(store, before);
  const gone = new Set(plans);
  const referred = async () => {
    const kept = (await namesIn(records)).filter((id) => !gone.has(id));
    return new Set((await Promise.all(kept.map((id) => namesIn(join(records, id))))).flat());
  };
  return { plans, ...(await collectFiles(store, { referred, before, remove })) };
}

interface FilesOptions extends Omit<CollectOptions, 'knows'> {
  referred(): Promise<Set<string>>;
}

async function collectFiles(store: string, { referred, before, remove }: FilesOptions) {
  const names = await referred();
  const loose: { path: string; name: string }[] = [];
  let bytes = 0;
  for (const folder of (await namesIn(store)).filter((name) => /^[0-9a-f]{2}$/.test(name)))
    for (const name of await namesIn(join(store, folder))) {
      const path = join(store, folder, name);
      const found = names.has(name) ? undefined : await stat(path).catch(() => undefined);
      if (!found || found.mtimeMs >= before) continue;
      loose.push({ path, name });
      bytes += found.size;
    }
  if (remove && loose.length > 0) await removeFiles(store, loose, referred);
  return { artifacts: loose.length, bytes };
}

/** Put aside first: what somebody came to refer to meanwhile is put back, and nobody ever reads half of one. */
async function removeFiles(store: string, files: { path: string; name: string }[], referred: FilesOptions['referred']) {
  const aside = files.map((file) => ({ ...file, away: join(store, `.${randomUUID()}`) }));
  for (const { path, away } of aside) await rename(path, away).catch(() => {});
  const names = await referred();
  for (const { path, name, away } of aside)
    if (names.has(name)) await rename(away, path).catch(() => {});
    else await rm(away, { force: true });
}

/** What a killed worker was about to store belongs to nobody: whoever runs that attempt again stores it again. */
async function removeHalves(store: string, before: number): Promise<void> {
  for (const name of (await namesIn(store)).filter((name) => NOT_WHOLE.test(name))) {
    const path = join(store, name);
    const found = await stat(path).catch(() => undefined);
    if (found?.isFile() && found.mtimeMs < before) await rm(path, { force: true });
  }
}

const isPlanId = (name: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(name);

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

/** The folders that everything a plan does leaves its time on. */
async function touchedSince(folders: string[], before: number): Promise<boolean> {
  for (const folder of folders)
    for (const part of ['', 'logs', 'scripts', 'work']) {
      const found = await stat(join(folder, part)).catch(() => undefined);
      if (found && found.mtimeMs >= before) return true;
    }
  return false;
}
