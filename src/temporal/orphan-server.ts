import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { Config } from '../config.ts';
import { identify } from '../home/process-identity.ts';
import { databasePath, type ServerRecord } from './server-record.ts';

/**
 * The server that runs on this home's database without a record of it (lost, corrupt, or its starter was killed before
 * it could write one). Two servers on one database would ruin it, so a start always looks.
 */
export function findOrphan(config: Config): ServerRecord | undefined {
  const database = databasePath(config);
  const found = commandLines().find(({ args }) => args.includes('start-dev') && args.includes(database));
  const identity = found && identify(found.pid);
  if (!identity) return undefined;
  const [port, ui_port] = [numberAfter('--port', found.args), numberAfter('--ui-port', found.args)];
  if (port === undefined || ui_port === undefined) return undefined;
  const sqlite_synchronous = found.args.includes('synchronous=FULL') ? 'FULL' : 'NORMAL';
  return { schema_version: 1, ...identity, port, ui_port, sqlite_synchronous, is_new: false };
}

interface CommandLine {
  pid: number;
  args: string[];
}

function commandLines(): CommandLine[] {
  return process.platform === 'linux' ? fromProc() : fromPs();
}

function fromProc(): CommandLine[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return pids.flatMap((pid) => {
    try {
      return [{ pid, args: readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0') }];
    } catch {
      return []; // ended in between, or somebody else's
    }
  });
}

/** `ps` does not tell where an argument ends; a home with a space in its path is not found so. */
function fromPs(): CommandLine[] {
  const lines = execFileSync('ps', ['-axww', '-o', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  return lines.map((line) => line.trim().split(/\s+/)).map(([pid, ...args]) => ({ pid: Number(pid), args }));
}

function numberAfter(flag: string, args: string[]): number | undefined {
  const at = args.indexOf(flag);
  return at < 0 ? undefined : Number(args[at + 1]) || undefined;
}
