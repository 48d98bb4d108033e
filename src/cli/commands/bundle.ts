import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { link, rm, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { Fault } from '../../faults.ts';
import type { Bundle } from '../../service/bundle.ts';
import { type Cli, printJson } from '../cli.ts';
import { findPlan } from '../find-plan.ts';
import { examples, PLAN } from '../help.ts';
import { withEngine } from '../with-engine.ts';

interface Options {
  output?: string;
  json?: true;
}

export function addBundle(program: Command, cli: Cli): void {
  const command = program
    .command('bundle')
    .summary('save all that there is of a plan, as one zip')
    .description('Save all that there is of a plan as one zip: its file, inputs, story, logs, files and large outputs.')
    .argument(...PLAN)
    .option('-o, --output <file>', 'where to; NAME-ID.zip in this directory unless said')
    .option('--json', 'print where it is, and its size, as JSON')
    .action((plan: string, options: Options) => bundle(cli, plan, options));
  examples(command, ['bundle 3f2b9c', 'bundle 3f2b9c -o release.zip']);
}

async function bundle(cli: Cli, plan: string, { output, json }: Options): Promise<void> {
  const saved = await withEngine(cli, 'bundle', async (engine) => {
    const made = await engine.service.bundle(engine.caller, await findPlan(engine, plan));
    return await save(made, resolve(cli.directory, output ?? made.name));
  });
  if (json) printJson(cli, saved);
  else cli.out.line(saved.file);
}

/** It appears whole, and in nothing's place. */
async function save({ read }: Bundle, file: string): Promise<{ file: string; bytes: number }> {
  const part = `${file}.${randomUUID()}.part`;
  try {
    await pipeline(read(), createWriteStream(part, { flags: 'wx' }));
    await link(part, file);
    return { file, bytes: (await stat(file)).size };
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (WHY[code] === undefined) throw error;
    throw new Fault('USAGE', `cannot save ${file}: ${WHY[code] ?? message}`, { cause: error });
  } finally {
    await rm(part, { force: true });
  }
}

const WHY: Record<string, string> = {
  EEXIST: 'it is there already; name another with --output',
  ENOENT: 'its directory does not exist',
  ENOTDIR: 'its directory is a file',
  EACCES: 'writing there is not allowed',
  EROFS: 'writing there is not allowed',
  ENOSPC: 'the disk is full',
};
