import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { activityId } from '../contract/names.ts';
import type { AttemptInput, AttemptResult } from '../contract/payloads.ts';
import { ExpressionError } from '../plan/expression.ts';
import type { Json } from '../plan/json.ts';
import { defineTaskKind } from '../plan/kind.ts';
import type { ArtifactStore } from './artifact-store.ts';
import { BoundedLog } from './bounded-log.ts';
import { runCommand } from './command.ts';
import { type ActivityKind, type AttemptContext, TaskFailure } from './kind.ts';
import { renderScriptTemplate, ShellTemplateError } from './shell-template.ts';
import { loadScope } from './stored-values.ts';

/** A shell script. It runs under `bash -e`: the first line that fails ends it, and so fails the task. */
export const run = defineTaskKind<string, ActivityKind<string>>({
  key: 'run',
  mode: 'activity',
  version: 1,
  words: z.string().min(1, 'a script must not be empty'),
  plain: (script) => ({ script }),
  permission: 'plan:run_commands',
  execute,
});

/** How much of the last error output a failure tells. */
const STDERR_SHOWN_BYTES = 2_048;

async function execute(input: AttemptInput, context: AttemptContext): Promise<AttemptResult> {
  const { task, attempt, dispatch, inline_limit } = input;
  // Ids have no dot, so this is as unique as the path itself.
  const name = activityId(task.replaceAll('/', '.'), attempt, dispatch);
  const folder = (kind: string) => join(context.planFolder, kind);
  const directory = input.place.directory ?? folder('work');
  await Promise.all(
    [folder('scripts'), folder('logs'), folder('work')].map((path) => mkdir(path, { recursive: true })),
  );
  await mustBeDirectory(directory);

  const script = join(folder('scripts'), `${name}.sh`);
  await writeFile(script, await renderScript(input, context.store), { mode: 0o600 });
  const log = new BoundedLog(join(folder('logs'), `${name}.log`));
  const stdout = new BoundedLog(join(folder('logs'), `${name}.stdout`));
  let errors = Buffer.alloc(0);
  try {
    const code = await runCommand({
      script,
      directory,
      env: environmentOf(input),
      signal: context.signal,
      onStart: context.onProcessGroup,
      onOutput(stream, chunk) {
        log.write(chunk);
        if (stream === 'stdout') stdout.write(chunk);
        else errors = Buffer.concat([errors, chunk]).subarray(-STDERR_SHOWN_BYTES);
      },
    }).finally(() => Promise.all([log.end(), stdout.end()]));
    // What we ended ourselves did not fail, nor succeed, by itself.
    context.signal.throwIfAborted();
    if (code !== 0) throw commandFailure(code, errors.toString('utf8'));
    return { outputs: { stdout: await output(stdout, context.store, inline_limit), exit_code: code } };
  } finally {
    await Promise.all([rm(script, { force: true }), rm(stdout.path, { force: true })]);
  }
}

async function mustBeDirectory(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) throw new TaskFailure(`the working directory ${path} does not exist`);
}

async function renderScript(input: AttemptInput, store: ArtifactStore): Promise<string> {
  const { script } = input.with as { script: string };
  const scope = await loadScope(input.scope, store);
  try {
    return renderScriptTemplate(script, scope);
  } catch (error) {
    if (error instanceof ExpressionError || error instanceof ShellTemplateError)
      throw new TaskFailure(`run: ${error.message}`, { final: true });
    throw error;
  }
}

/** Recorded environment, then the plan's and the task's, then what says which attempt this is. */
function environmentOf(input: AttemptInput): Record<string, string> {
  return {
    ...input.place.env,
    ...input.env,
    HOLDPOINT_PLAN_ID: input.plan_id,
    HOLDPOINT_RUN: String(input.run),
    HOLDPOINT_TASK: input.task,
    HOLDPOINT_ATTEMPT: String(input.attempt),
    HOLDPOINT_IDEMPOTENCY_KEY: input.idempotency_key,
  };
}

function commandFailure(code: number, stderr: string): TaskFailure {
  const last = stderr.trimEnd().split('\n').at(-1)?.trim().slice(0, 300);
  const message = `exit code ${code}${last ? `: ${last}` : ''}`;
  return new TaskFailure(message, { details: { exit_code: code, stderr: stderr.slice(-STDERR_SHOWN_BYTES) } });
}

/** Standard output without its last line break: inline when small, else by reference. */
async function output(log: BoundedLog, store: ArtifactStore, inlineLimit: number): Promise<Json> {
  if (log.bytes > inlineLimit) {
    const { $stored } = await store.putFile(log.path);
    return { $stored: { ...$stored, ...(log.dropped > 0 && { dropped: log.dropped }) } };
  }
  return (await readFile(log.path, 'utf8')).replace(/\r?\n$/, '');
}
