import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Config } from '../config.ts';
import { readRecord } from './home-lock.ts';
import { identify, isAlive } from './process-identity.ts';

const schema = z.object({ pid: z.number(), started: z.string() });
const folder = ({ home }: Config) => join(home, 'commands');

/** Tells the home's engine that this process uses it; the returned function takes that back. */
export function useHome(config: Config): () => void {
  mkdirSync(folder(config), { recursive: true, mode: 0o700 });
  const path = join(folder(config), `${process.pid}.json`);
  writeFileSync(path, JSON.stringify(identify()), { mode: 0o600 });
  const remove = () => rmSync(path, { force: true });
  process.once('exit', remove);
  return () => {
    process.off('exit', remove);
    remove();
  };
}

/** Whether another live command uses the home; what dead ones left is removed. */
export function homeInUse(config: Config): boolean {
  let names: string[];
  try {
    names = readdirSync(folder(config));
  } catch {
    return false;
  }
  return names.some((name) => {
    const path = join(folder(config), name);
    const record = readRecord(path, schema);
    if (record && isAlive(record)) return record.pid !== process.pid;
    rmSync(path, { force: true });
    return false;
  });
}
