import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { AttemptInput, AttemptResult } from '../contract/payloads.ts';
import type { Json, JsonObject } from '../plan/json.ts';
import { defineTaskKind } from '../plan/kind.ts';
import type { ActivityKind, AttemptContext } from './kind.ts';
import { beginLog, scriptPath } from './logs/attempt-files.ts';
import type { Mask } from './masking.ts';
import { type Capture, capture, captured } from './run/captured.ts';
import { commandFailure } from './run/command-failure.ts';
import { clearDeclaredFiles, keepDeclaredFiles } from './run/declared-files.ts';
import { type EnvFile, envFile, readEnvFiles } from './run/env-file.ts';
import { environmentOf } from './run/environment.ts';
import { findFiles } from './run/find-files.ts';
import { openLog, runLogged } from './run/logged.ts';
import { mustHaveWorktree } from './run/must-have-worktree.ts';
import { freshOutputFile, OUTPUT_VARIABLE, readOutputFile } from './run/output-file.ts';
import { type OutputKeeper, outputKeeper } from './run/output-keeper.ts';
import {
  declaredOutputs,
  directoryGiven,
  directoryOf,
  mustBeDirectory,
  renderedOutputs,
  renderedScript,
} from './run/run-words.ts';
import { loadScope } from './stored-values.ts';

interface More {
  capture: Capture;
  outputs: string[];
  working_directory: string;
  env_file: EnvFile;
}

/** A shell script. It runs under `bash -e`: the first line that fails ends it, and so fails the task. */
export const run = defineTaskKind<string, ActivityKind<string, More>>({
  key: 'run',
  mode: 'activity',
  version: 1,
  words: z
    .string()
    .min(1, 'a script must not be empty')
    .refine((script) => !script.includes('\0'), 'a script cannot hold the character NUL')
    .describe('A bash script; `${{ … }}` puts values in, safely'),
  taskWords: {
    capture: capture.describe('What the output `stdout` is; `none`: it stands in the log only'),
    outputs: declaredOutputs.describe('Files that the script makes, by path or pattern; kept when it succeeds'),
    working_directory: directoryGiven.describe('Where it runs: a path from the directory of the plan'),
    env_file: envFile.describe('Files with environment variables (dotenv), from the directory of the plan; `env` wins'),
  },
  secrets: 'environment',
  plain: (script, more) => ({ script, ...more }) satisfies RunWords as unknown as Json,
  permission: 'plan:run_commands',
  execute,
});

type RunWords = { script: string; secrets?: string[] } & Partial<More>;

/** In place of a script, where a plan iterates over files: the pattern by which they are found. No plan file says it. */
type FindWords = { find: string } & Partial<More>;

async function execute(input: AttemptInput, context: AttemptContext): Promise<AttemptResult> {
  const words = input.with as unknown as RunWords | FindWords;
  const scope = await loadScope(input.scope, context.store);
  const work = join(context.planFolder, 'work');
  await mkdir(work, { recursive: true });
  const base = input.place.directory ?? work;
  const directory = directoryOf(base, words.working_directory, scope);
  await mustHaveWorktree(input.place);
  await mustBeDirectory(directory);
  if ('find' in words) return await findPaths(words.find, directory, input, context);
  const fromFiles = await readEnvFiles([words.env_file ?? []].flat(), base);
  const patterns = renderedOutputs(words.outputs ?? [], scope);
  await clearDeclaredFiles(directory, patterns, context.signal);

  const log = await beginLog(context.planFolder, input);
  const stdout = `${log}.stdout`;
  const path = await scriptPath(context.planFolder, log);
  const script = `${path}.sh`;
  const outputFile = `${path}.output`;
  try {
    await writeFile(script, renderedScript(words.script, scope), { mode: 0o600 });
    await freshOutputFile(outputFile);
    const how = words.capture ?? 'text';
    const env = { ...environmentOf(input, fromFiles, context.secrets.values), [OUTPUT_VARIABLE]: outputFile };
    const all = openLog(`${log}.log`);
    const ended = await runLogged(
      { script, directory, env, log: all, ...(how !== 'none' && { stdout }) },
      context,
    ).finally(() => all.end());
    if (ended.code !== 0) throw commandFailure(ended.code, ended.stderr);
    const output = ended.stdout;
    const keeper = outputKeeper(context.store, input.inline_limit);
    const outputs: JsonObject = {
      ...(output && { stdout: await captured(output, how, keeper) }),
      exit_code: 0,
      ...(await written(outputFile, keeper, context.secrets.mask)),
    };
    if (patterns.length > 0) {
      const files = await keepDeclaredFiles(directory, patterns, context.store, context.signal);
      outputs.files = await keeper.keep(files as unknown as Json);
      return { outputs, files_in: directory };
    }
    return { outputs };
  } finally {
    await Promise.all([script, stdout, outputFile].map((path) => rm(path, { recursive: true, force: true })));
  }
}

/** The files that match a pattern, in the order of their paths. */
async function findPaths(
  pattern: string,
  directory: string,
  { inline_limit }: AttemptInput,
  { signal, store }: AttemptContext,
): Promise<AttemptResult> {
  const paths: string[] = [];
  for await (const path of findFiles(directory, pattern, signal)) paths.push(path);
  return { outputs: { stdout: await outputKeeper(store, inline_limit).keep(paths.sort()), exit_code: 0 } };
}

async function written(outputFile: string, keeper: OutputKeeper, mask: Mask): Promise<JsonObject> {
  const given = Object.entries(mask.json(await readOutputFile(outputFile)) as JsonObject);
  const kept: [string, Json][] = [];
  for (const [name, value] of given) kept.push([name, await keeper.keep(value)]);
  return Object.fromEntries(kept);
}
