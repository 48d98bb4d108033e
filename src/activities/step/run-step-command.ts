import { readFile, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { AttemptInput } from '../../contract/payloads.ts';
import { formatDuration } from '../../plan/duration.ts';
import type { Json } from '../../plan/json.ts';
import type { Captured, Variables } from '../../plan/step/variables.ts';
import { timedSignal } from '../../timed-signal.ts';
import { cutValue } from '../cut-values.ts';
import { type AttemptContext, TaskFailure } from '../kind.ts';
import { scriptPath } from '../logs/attempt-files.ts';
import type { BoundedLog } from '../run/bounded-log.ts';
import { captured as keptStdout } from '../run/captured.ts';
import { environmentOf } from '../run/environment.ts';
import { type AttemptLog, runLogged } from '../run/logged.ts';
import type { OutputKeeper } from '../run/output-keeper.ts';
import { mustBeDirectory } from '../run/run-words.ts';
import { agentTurn, type Turn } from './agent-turn.ts';
import { capturedValue } from './captured-value.ts';
import { headOf } from './commits.ts';
import { shellScript } from './shell-text.ts';
import type { CommandWords } from './step-words.ts';
import { filledIn, type Read } from './values.ts';

/** A step's attempt as it goes on. */
export interface Running {
  input: AttemptInput;
  context: AttemptContext;
  base: string;
  fromFiles: Record<string, string>;
  variables: Variables;
  log: AttemptLog;
  /** Of its log, without the ending: its other files are called like it. */
  path: string;
  /** By name; `end`: the value is what this printed. */
  captured: Record<string, { kept: Captured; end?: CommandEnd }>;
  ended: CommandEnd[];
}

/** How one command ended. */
export interface CommandEnd {
  output: Json;
  exit_code: number;
  success: boolean;
  stderr: string;
  /** Why it failed, where that is not its exit code. */
  failure?: TaskFailure;
  /** Whether it is the step's own, not one that follows from it. */
  isOwn: boolean;
  /** What it is read by. */
  names: string[];
  /** The output as others get it, large ones by reference. */
  keep(keeper: OutputKeeper): Promise<Json>;
}

/** Of a command that failed, so much of its error output is part of its output. */
const STDERR_BYTES = 32 * 1_024;

/** Runs one command to its end; throws only when it cannot be run as it is said, or was ended from outside. */
export async function runStepCommand(command: CommandWords, part: string, running: Running): Promise<CommandEnd> {
  const { input, context, base, variables, log, path } = running;
  const own = { ...running.fromFiles, ...input.env };
  const read: Read = (path) =>
    variables.read(path) ?? (path[0] === 'env' && path.length === 2 ? own[path[1]!] : undefined);
  const fill = (text: string) => filledIn(text, read);
  for (const [name, value] of Object.entries({ ...input.env, ...command.env })) own[name] = fill(value);
  const env = { ...environmentOf(input, own, {}), ...own, ...input.place.set, ...context.secrets.values };
  const directory = command.working_dir === undefined ? base : resolve(base, fill(command.working_dir));
  await mustBeDirectory(directory);
  const script = `${await scriptPath(context.planFolder, path)}.sh`;
  const stdout = `${path}.stdout`;
  const before = command.commit_required ? await headOf(directory, env) : undefined;
  const limit = timedSignal(command.timeout_ms);
  const files = { script, stdout, directory, env, log, stderrBytes: STDERR_BYTES, signal: limit.signal };
  const began = performance.now();
  try {
    let turn: Turn;
    if (command.does === 'claude') {
      const text = filledIn(command.text, (path) => read(path) ?? (path.length === 1 ? own[path[0]!] : undefined));
      turn = await agentTurn(text, part, files, input, context);
    } else {
      await writeFile(script, shellScript(command.text, read), { mode: 0o600 });
      turn = await runLogged(files, context);
    }
    const failed = await whyFailed(command, turn, limit.signal, () =>
      headOf(directory, env).then((head) => head !== before),
    );
    const end = await endOf(command, turn, failed, part === 'main');
    running.ended.push(end);
    variables.ended(command.does, command.id, end as never);
    if (command.capture) capture(command.capture, end, (performance.now() - began) / 1_000, running);
    return end;
  } finally {
    limit.clear();
    await Promise.all([script, stdout].map((file) => rm(file, { force: true })));
  }
}

async function whyFailed(
  { timeout_ms, commit_required }: CommandWords,
  { code, failed }: Turn,
  limit: AbortSignal,
  madeCommit: () => Promise<boolean>,
): Promise<string | undefined> {
  if (limit.aborted) return `it did not end within ${formatDuration(timeout_ms!)}`;
  if (code !== 0 || failed !== undefined) return failed;
  return commit_required && !(await madeCommit())
    ? 'it made no commit, and commit_required says that it must'
    : undefined;
}

async function endOf(
  command: CommandWords,
  turn: Turn,
  failed: string | undefined,
  isOwn: boolean,
): Promise<CommandEnd> {
  const { code, stderr, stdout, result } = turn;
  const success = code === 0 && failed === undefined;
  const printed = result ?? (await textOf(stdout!));
  // Whoever mends a failure needs what was said of it, on either stream.
  const all = success || typeof printed !== 'string' ? printed : [printed, stderr.trimEnd()].filter(Boolean).join('\n');
  return {
    output: all,
    exit_code: success ? 0 : code || 1,
    success,
    stderr: stderr.slice(-2_048),
    ...(failed !== undefined && {
      failure: new TaskFailure(failed, { details: { exit_code: code, stderr: stderr.slice(-2_048) } }),
    }),
    isOwn,
    names: [command.does, 'last', ...(command.id === undefined ? [] : [command.id])],
    keep: async (keeper) =>
      typeof all === 'string' ? await keeper.keep(all) : await keptStdout(stdout!, 'text', keeper),
  };
}

/** What was cut is refused where it is used. */
async function textOf({ path, dropped }: BoundedLog): Promise<Json> {
  return dropped > 0 ? cutValue(dropped) : (await readFile(path, 'utf8')).replace(/\r?\n$/, '');
}

function capture(
  { name, format, streams }: NonNullable<CommandWords['capture']>,
  end: CommandEnd,
  seconds: number,
  { captured, variables }: Running,
): void {
  const { output, exit_code, success, stderr } = end;
  // What a failed command printed need not be in the form that was agreed.
  const isText = format === 'string' || !success || typeof output !== 'string';
  const value = !streams.includes('stdout') ? '' : isText ? output : capturedValue(name, output as string, format);
  const duration = Math.round(seconds * 1_000) / 1_000;
  const kept: Captured = {
    value,
    exit_code,
    success,
    ...(streams.includes('stderr') && { stderr }),
    ...(streams.includes('duration') && { duration }),
  };
  variables.capture(name, kept);
  captured[name] = value === output ? { kept, end } : { kept };
}
