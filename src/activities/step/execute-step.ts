import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { AttemptInput, AttemptResult } from '../../contract/payloads.ts';
import type { Json, JsonObject } from '../../plan/json.ts';
import { givenBy, ITERATION } from '../../plan/step/references.ts';
import type { Captured } from '../../plan/step/variables.ts';
import { variablesFrom } from '../../plan/step/variables.ts';
import type { AttemptContext } from '../kind.ts';
import { beginLog } from '../logs/attempt-files.ts';
import { commandFailure } from '../run/command-failure.ts';
import { readEnvFiles } from '../run/env-file.ts';
import { openLog } from '../run/logged.ts';
import { mustHaveWorktree } from '../run/must-have-worktree.ts';
import { type OutputKeeper, outputKeeper } from '../run/output-keeper.ts';
import { loadScope } from '../stored-values.ts';
import { type CommandEnd, type Running, runStepCommand } from './run-step-command.ts';
import type { CommandWords, StepWords } from './step-words.ts';

/** Carries a step of a workflow file out: its command, again if it says so, and what follows from how that ended. */
export async function executeStep(input: AttemptInput, context: AttemptContext): Promise<AttemptResult> {
  const words = input.with as unknown as StepWords;
  const scope = await loadScope(input.scope, context.store);
  const work = join(context.planFolder, 'work');
  await mkdir(work, { recursive: true });
  const base = input.place.directory ?? work;
  await mustHaveWorktree(input.place);
  const given = { ...givenBy({ item: scope[ITERATION], index: scope.index }), step: words.step };
  const path = await beginLog(context.planFolder, input);
  const log = openLog(`${path}.log`);
  const running: Running = {
    input,
    context,
    base,
    fromFiles: await readEnvFiles(words.env_file ?? [], base),
    variables: variablesFrom(given, words.before, (task) => scope.tasks[task]?.outputs),
    log,
    path,
    captured: {},
    ended: [],
  };
  try {
    await carryOut(words.command, 'main', running);
  } finally {
    await log.end();
  }
  return { outputs: await outputsOf(running, outputKeeper(context.store, input.inline_limit)) };
}

/** Throws when the step fails by it. */
async function carryOut(command: CommandWords, part: string, running: Running): Promise<void> {
  const { on_failure: handler, on_success = [] } = command;
  const most = handler?.max_attempts ?? 1;
  const say = (line: string) => void running.log.write(Buffer.from(`— ${line}\n`));
  for (let tried = 1; ; tried++) {
    if (tried > 1) say(`${part}: attempt ${tried} of ${most}`);
    const end = await runStepCommand(command, part, running);
    if (end.success) break;
    const failure = end.failure ?? commandFailure(end.exit_code, end.stderr);
    if (!handler && !command.allow_failure) throw failure;
    say(`${part} failed: ${failure.message}`);
    const isLast = most > 1 && tried >= most;
    for (const [k, one] of isLast ? [] : (handler?.commands ?? []).entries()) {
      say(`${part}: on_failure, ${one.does}`);
      await carryOut(one, `${part}.on_failure.${k}.${tried}`, running);
    }
    if (most > 1 && !isLast) continue;
    if (handler?.fail) throw failure;
    return;
  }
  for (const [k, one] of on_success.entries()) {
    say(`${part}: on_success, ${one.does}`);
    await carryOut(one, `${part}.on_success.${k}`, running);
  }
}

/** For the step's own command, how it ended at last; of others, the last of each kind and of each id. */
async function outputsOf({ ended, captured }: Running, keeper: OutputKeeper): Promise<JsonObject> {
  const own = ended.findLast(({ isOwn }) => isOwn)!;
  const after = ended.slice(ended.lastIndexOf(own) + 1);
  const kept = new Map<CommandEnd, Json>();
  const shown = async (end: CommandEnd) => {
    if (!kept.has(end)) kept.set(end, await end.keep(keeper));
    return { output: kept.get(end)!, exit_code: end.exit_code, success: end.success };
  };
  const handled: JsonObject = {};
  for (const end of after) for (const name of end.names) handled[name] = await shown(end);
  const values: Record<string, Captured> = {};
  for (const [name, { kept: one, end }] of Object.entries(captured))
    values[name] = { ...one, value: end ? (await shown(end)).output : await keeper.keep(one.value) };
  return {
    ...(await shown(own)),
    ...(Object.keys(values).length > 0 && { captured: values }),
    ...(after.length > 0 && { handled }),
  };
}
