import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { AttemptInput, AttemptResult, Place } from '../contract/payloads.ts';
import type { Json, JsonObject } from '../plan/json.ts';
import { defineTaskKind } from '../plan/kind.ts';
import { ensureWorktree } from '../worktree/ensure.ts';
import { WorktreeRefused } from '../worktree/refused.ts';
import { type ActivityKind, type AttemptContext, TaskFailure } from './kind.ts';
import { beginLog, logName } from './logs/attempt-files.ts';
import type { Mask } from './masking.ts';
import { BoundedLog } from './run/bounded-log.ts';
import { type Capture, capture, captured } from './run/captured.ts';
import { firstCharacters, TextTail } from './run/characters.ts';
import { runCommand } from './run/command.ts';
import { clearDeclaredFiles, keepDeclaredFiles } from './run/declared-files.ts';
import { type EnvFile, envFile, readEnvFiles } from './run/env-file.ts';
import { findFiles } from './run/find-files.ts';
import { freshOutputFile, OUTPUT_VARIABLE, readOutputFile } from './run/output-file.ts';
import { type OutputKeeper, outputKeeper } from './run/output-keeper.ts';
import { declaredOutputs, directoryGiven, directoryOf, renderedOutputs, renderedScript } from './run/run-words.ts';
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

/** How much of the last error output a failure tells. */
const STDERR_SHOWN_BYTES = 2_048;

async function execute(input: AttemptInput, context: AttemptContext): Promise<AttemptResult> {
  const words = input.with as unknown as RunWords | FindWords;
  const scope = await loadScope(input.scope, context.store);
  const name = logName(input);
  const folder = (kind: string) => join(context.planFolder, kind);
  await Promise.all([folder('scripts'), folder('work')].map((path) => mkdir(path, { recursive: true })));
  const base = input.place.directory ?? folder('work');
  const directory = directoryOf(base, words.working_directory, scope);
  await mustHaveWorktree(input.place);
  await mustBeDirectory(directory);
  if ('find' in words) return await findPaths(words.find, directory, input, context);
  const fromFiles = await readEnvFiles([words.env_file ?? []].flat(), base);
  const patterns = renderedOutputs(words.outputs ?? [], scope);
  await clearDeclaredFiles(directory, patterns, context.signal);

  const script = join(folder('scripts'), `${name}.sh`);
  const outputFile = join(folder('scripts'), `${name}.output`);
  const log = await beginLog(context.planFolder, input);
  const stdout = `${log}.stdout`;
  try {
    await writeFile(script, renderedScript(words.script, scope), { mode: 0o600 });
    await freshOutputFile(outputFile);
    const how = words.capture ?? 'text';
    const env = { ...environmentOf(input, fromFiles, context.secrets.values), [OUTPUT_VARIABLE]: outputFile };
    const output = await runLogged(
      { script, directory, env, log: `${log}.log`, ...(how !== 'none' && { stdout }) },
      context,
    );
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

/** Before any command: what is gone of a worktree is made again, and in what has replaced it nothing runs. */
async function mustHaveWorktree({ worktree, env }: Place): Promise<void> {
  if (!worktree) return;
  await ensureWorktree(worktree, { env }).catch((error: unknown) => {
    if (error instanceof WorktreeRefused) throw new TaskFailure(error.message, { final: 'hopeless' });
    throw error;
  });
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

async function mustBeDirectory(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) throw new TaskFailure(`the working directory ${path} does not exist`);
}

interface Logged {
  script: string;
  directory: string;
  env: Record<string, string>;
  /** Files for all output, and for standard output alone. */
  log: string;
  stdout?: string;
}

/** Runs a script to its end and keeps what it writes; gives the log of standard output. Throws when it failed. */
async function runLogged(files: Logged, context: AttemptContext): Promise<BoundedLog | undefined> {
  const lost = new AbortController();
  const onFailure = () => lost.abort();
  const log = new BoundedLog(files.log, { onFailure });
  const stdout = files.stdout === undefined ? undefined : new BoundedLog(files.stdout, { onFailure });
  const errors = new TextTail(STDERR_SHOWN_BYTES);
  const masks = { stdout: context.secrets.mask.stream(), stderr: context.secrets.mask.stream() };
  const take = (stream: 'stdout' | 'stderr', chunk: Buffer) => {
    if (chunk.length === 0) return undefined;
    if (stream === 'stderr') errors.write(chunk);
    const waits = [log.write(chunk), stream === 'stdout' ? stdout?.write(chunk) : undefined].filter(Boolean);
    return waits.length > 0 ? Promise.all(waits) : undefined;
  };
  // Its silence counts from here.
  context.onOutput();
  const code = await runCommand({
    ...files,
    // Output that nobody keeps is no reason to go on for hours.
    signal: AbortSignal.any([context.signal, lost.signal]),
    onStart: context.onProcessGroup,
    onOutput(stream, chunk) {
      context.onOutput();
      return take(stream, masks[stream]?.write(chunk) ?? chunk);
    },
  }).finally(() => {
    for (const stream of ['stdout', 'stderr'] as const) take(stream, masks[stream]?.end() ?? Buffer.alloc(0));
    return Promise.all([log.end(), stdout?.end()]);
  });
  // What we ended ourselves did not fail, nor succeed, by itself.
  context.signal.throwIfAborted();
  if (code !== 0) throw commandFailure(code, errors.text());
  return stdout;
}

async function written(outputFile: string, keeper: OutputKeeper, mask: Mask): Promise<JsonObject> {
  const given = Object.entries(mask.json(await readOutputFile(outputFile)) as JsonObject);
  const kept: [string, Json][] = [];
  for (const [name, value] of given) kept.push([name, await keeper.keep(value)]);
  return Object.fromEntries(kept);
}

/** Recorded environment, then that of files, the plan's and the task's, secrets, then what says which attempt this is. */
function environmentOf(
  input: AttemptInput,
  fromFiles: Record<string, string>,
  secrets: Record<string, string>,
): Record<string, string> {
  const { env, worktree } = input.place;
  return {
    ...env,
    ...fromFiles,
    ...input.env,
    ...input.place.set,
    ...secrets,
    HOLDPOINT_PLAN_ID: input.plan_id,
    HOLDPOINT_RUN: String(input.run),
    HOLDPOINT_TASK: input.task,
    HOLDPOINT_ATTEMPT: String(input.attempt),
    HOLDPOINT_IDEMPOTENCY_KEY: input.idempotency_key,
    ...(worktree && { HOLDPOINT_WORKTREE: worktree.path, HOLDPOINT_BRANCH: worktree.branch }),
  };
}

function commandFailure(code: number, stderr: string): TaskFailure {
  const last = firstCharacters(stderr.trimEnd().split('\n').at(-1)!.trim(), 300);
  return new TaskFailure(`exit code ${code}${last ? `: ${last}` : ''}`, { details: { exit_code: code, stderr } });
}
