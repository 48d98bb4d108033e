import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect as openSocket } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isExecutable } from '../activities/run/guard.ts';
import { HOME_REMEDY } from '../home/home-fault.ts';
import { makeHome } from '../home/make-home.ts';
import type { Cli } from './cli.ts';
import type { EngineStatus } from './engine-access.ts';

/** One thing that has to be right for plans to run; `remedy` says what to do when it is not. */
export interface Check {
  name: string;
  ok: boolean;
  found: string;
  remedy?: string;
}

const ANSWER_MS = 10_000;

/** Looks at everything without changing or starting anything but the home's folder. */
export async function runChecks(cli: Cli): Promise<Check[]> {
  const engine = await cli.engine.status();
  const local = [
    nodeVersion(process.versions.node),
    homeWritable(engine.home),
    program(cli, 'bash'),
    program(cli, 'git'),
  ];
  return [...local, engineRuns(cli, engine), await temporalListens(cli, engine), await workerAnswers(cli, engine)];
}

function nodeVersion(version: string): Check {
  const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    engines: { node: string };
  };
  const least = engines.node.replace(/^>=/, '');
  return check('node', isAtLeast(version, least), version, `install Node.js ${least} or newer`);
}

export function isAtLeast(version: string, least: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor = 0, leastMinor = 0] = least.split('.').map(Number);
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}

function homeWritable(home: string): Check {
  const probe = join(home, `.doctor-${process.pid}`);
  try {
    makeHome(home);
    writeFileSync(probe, '');
    rmSync(probe);
    return check('home', true, home);
  } catch (error) {
    return check('home', false, (error as Error).message, HOME_REMEDY);
  }
}

const NEEDED_FOR = { bash: 'tasks of kind run need it', git: 'worktrees need it' };

function program({ env }: Cli, name: keyof typeof NEEDED_FOR): Check {
  const path = (env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find(isExecutable);
  return check(name, path !== undefined, path ?? 'not on PATH', `install ${name}: ${NEEDED_FOR[name]}`);
}

function engineRuns({ self }: Cli, { running, ready, pid, version, mode, progress }: EngineStatus): Check {
  if (!running)
    return check('engine', false, 'none runs', `start one with: ${self} up (any command that needs one does too)`);
  const found =
    `${version ?? ''} ${mode}, pid ${pid}${ready ? '' : `, not ready yet${progress ? `: ${progress}` : ''}`}`.trim();
  return check('engine', ready, found, `wait for it, or read logs/engine.log in its home`);
}

async function temporalListens({ self }: Cli, { urls }: EngineStatus): Promise<Check> {
  const address = urls?.temporal;
  if (!address) return check('temporal server', false, 'no engine says where it is', 'the engine starts it');
  const listens = await new Promise<boolean>((resolve) => {
    const at = address.lastIndexOf(':');
    const socket = openSocket({ host: address.slice(0, at), port: Number(address.slice(at + 1)), timeout: ANSWER_MS });
    socket
      .on('connect', () => resolve(true))
      .on('error', () => resolve(false))
      .on('timeout', () => resolve(false));
    socket.on('connect', () => socket.destroy()).on('timeout', () => socket.destroy());
  });
  return check(
    'temporal server',
    listens,
    address,
    `it does not answer; end the engine with: ${self} server stop, and start it again`,
  );
}

async function workerAnswers(cli: Cli, { ready }: EngineStatus): Promise<Check> {
  const remedy = `read logs/engine.log in the home, or end the engine with: ${cli.self} server stop, and start it again`;
  if (!ready) return check('worker', false, 'no engine is ready', 'the engine has it');
  const answers = await Promise.race([ask(cli), delay(ANSWER_MS, 'no answer in time', { ref: false })]).catch(
    (error: Error) => error.message,
  );
  return check('worker', answers === true, answers === true ? 'answers' : `${answers || 'does not answer'}`, remedy);
}

async function ask(cli: Cli): Promise<boolean> {
  const connection = await cli.engine.connect({ start: false, onProgress() {} });
  try {
    return await connection.service.ready();
  } finally {
    await connection.close();
  }
}

const check = (name: string, ok: boolean, found: string, remedy?: string): Check => ({
  name,
  ok,
  found,
  ...(!ok && { remedy }),
});
