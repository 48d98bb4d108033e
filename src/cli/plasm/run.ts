import { setTimeout as delay } from 'node:timers/promises';
import { v4 as uuid } from 'uuid';
import { Fault } from '../../faults.ts';
import type { Answer } from '../../service/execute/answer.ts';
import type { RunProgramRequest } from '../../service/execute/run.ts';
import { recordPlace } from '../../service/place.ts';
import { type Cli, exitOf } from '../cli.ts';
import { readText } from '../plan-argument.ts';
import { type Form, printAnswer } from '../render/program-answer.ts';
import { type Link, stayConnected } from '../stay-connected.ts';
import { followOperation } from './follow.ts';
import { givenCatalog } from './given-catalog.ts';
import { inText } from './text-fault.ts';

export interface RunOptions {
  expression?: string;
  mode?: 'plan' | 'run';
  wait?: boolean;
  force?: true;
  planCommitRef?: string;
  catalog?: string;
  session: string;
  accept?: Form;
  json?: true;
}

/** What a run of the command works with. */
interface Run {
  cli: Cli;
  link: Link;
  /** Ctrl+C. */
  signal: AbortSignal;
  form: Form;
  options: RunOptions;
  request: RunProgramRequest;
  ask(more?: Partial<RunProgramRequest>): Promise<Answer>;
}

export async function run(cli: Cli, file: string | undefined, options: RunOptions): Promise<void> {
  const { mode, force, planCommitRef: plan_commit_ref, session } = options;
  const form = formOf(options);
  const program = await programGiven(cli, file, options.expression);
  const signal = cli.interrupt();
  await stayConnected(cli, 'plasm run', async (link) => {
    const prompt_hash = await link.ask((engine) => givenCatalog(cli, engine, options.catalog));
    const request: RunProgramRequest = {
      ...{ prompt_hash, session, surface: 'http', program, mode, force, plan_commit_ref },
      // So that asking again, for whatever reason, is the same run.
      request_id: uuid(),
      place: recordPlace(cli.env, cli.directory),
    };
    const ask: Run['ask'] = (more = {}) =>
      link.ask(({ service, caller }) =>
        inText(options.expression === undefined ? (file ?? '-') : '-e', () =>
          service.execute.run(caller, { ...request, ...more }),
        ),
      );
    await carryOut({ cli, link, signal, form, options, request, ask });
  });
}

function formOf({ accept, json }: RunOptions): Form {
  if (json && accept !== undefined && accept !== 'json') throw new Fault('USAGE', 'give --json or --accept, not both');
  return json ? 'json' : (accept ?? 'plain');
}

async function programGiven(cli: Cli, file: string | undefined, expression: string | undefined): Promise<string> {
  if (expression === undefined) return await readText(cli, file ?? '-', 'program');
  if (file !== undefined) throw new Fault('USAGE', `give the program with -e or as the file "${file}", not both`);
  return expression;
}

/** Whoever sits at a terminal sees after this what it is waiting for. */
const SHOWN_AFTER_MS = 1_000;

async function carryOut(run: Run): Promise<void> {
  const { cli, form, options, request, ask, signal } = run;
  const continues = /^\s*(wait|cancel|page)\s*\(/.exec(request.program)?.[1];
  const waits = options.wait === true && options.mode !== 'plan';
  // A dry run and what goes on with something are answered at once.
  const mayTakeLong = options.mode !== 'plan' && continues === undefined && options.wait !== false;
  let answer: Answer | undefined;
  if (waits) answer = await ask({ wait: false });
  else if (!mayTakeLong) answer = await ask({ wait: options.wait });
  else answer = await soon(ask(), signal, cli.terminal && form === 'plain' ? SHOWN_AFTER_MS : undefined);
  // It took long: by its request it is found again, and gets a handle.
  const wasLeft = answer === undefined;
  answer ??= await ask({ wait: false });
  const handle = answer.meta.plasm.continuity?.h;
  const isRunning = answer.meta.plasm.continuity?.p === 'running' && handle !== undefined;
  if (isRunning && continues !== 'cancel' && (waits || wasLeft)) {
    if (answer.status === 202 && form === 'plain') printAnswer(run, answer, { to: cli.err });
    if (!(await followOperation(run, handle))) return left(run, handle);
    answer = await ask({ program: `wait(${handle})`, mode: undefined, plan_commit_ref: undefined });
  }
  await printAnswer(run, answer);
  if (answer.status === 202 && form === 'plain')
    cli.err.line(cli.err.colours.dim(`follow it: ${commandOf(run, `wait(${handle})`, '--wait ')}`));
  const phase = answer.meta.plasm.continuity?.p;
  if (phase === 'failed') cli.exitCode = 1;
  if (phase === 'cancelled' && continues !== 'cancel') cli.exitCode = 8;
}

/** What was asked for, unless somebody leaves before, or it takes longer than that. */
async function soon(
  answer: Promise<Answer>,
  signal: AbortSignal,
  patienceMs: number | undefined,
): Promise<Answer | undefined> {
  const over = new AbortController();
  const aborted = new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true, signal: over.signal });
  });
  const late =
    patienceMs === undefined ? [] : [delay(patienceMs, undefined, { signal: over.signal }).catch(() => undefined)];
  return await Promise.race([answer, aborted, ...late]).finally(() => {
    over.abort();
    answer.catch(() => {});
  });
}

/** Ctrl+C ends the waiting, and not what is waited for. */
function left(run: Run, handle: string): void {
  const { cli, signal } = run;
  cli.err.line(`${handle} goes on`);
  cli.err.line(`  follow it: ${commandOf(run, `wait(${handle})`, '--wait ')}`);
  cli.err.line(`  cancel it: ${commandOf(run, `cancel(${handle})`)}`);
  cli.exitCode = exitOf(signal);
}

function commandOf({ cli, options: { catalog, session } }: Run, program: string, more = ''): string {
  const named = [
    ...(catalog === undefined ? [] : [`--catalog ${quoted(catalog)} `]),
    ...(session === 'cli' ? [] : [`--session ${quoted(session)} `]),
  ].join('');
  return `${cli.self} plasm run ${more}${named}-e '${program}'`;
}

const quoted = (word: string): string => (/^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
