import { setTimeout as delay } from 'node:timers/promises';
import { loadConfig } from '../../config.ts';
import { PLAN_STATUSES } from '../../plan/lifecycle.ts';
import { localCaller } from '../../service/caller.ts';
import type { Cli } from '../cli.ts';
import { findPlan } from '../find-plan.ts';
import { oneLine } from '../render/text.ts';
import type { SessionRow } from '../session/session-row.ts';
import type { Engine } from '../with-engine.ts';
import { type Candidate, FILES } from './scripts.ts';

/** Whoever presses Tab waits for this: then it is better to have nothing. */
const PATIENCE_MS = 4_000;
const MOST_PLANS = 50;

/** What the value is looked up from: the engine, and the values before it. */
type LookUp = (engine: Engine, before: string[], cli: Cli) => Promise<Candidate[]>;

const files: Candidate = { value: FILES };
const plans: LookUp = async ({ service, caller }) =>
  (await service.list(caller, { limit: MOST_PLANS })).plans.map(({ plan_id, name, state }) => ({
    value: plan_id,
    about: `${oneLine(name, 40)}, ${state.status}`,
  }));

const sessions =
  (isMeant: (row: SessionRow) => boolean): LookUp =>
  async (engine, _, { env, directory }) => {
    const { sessionRows } = await import('../session/session-row.ts');
    const rows = (await sessionRows(engine, loadConfig(env).home)).filter(isMeant);
    const here = rows.filter((row) => row.directory === directory);
    return [...new Set([...here, ...rows])].slice(0, MOST_PLANS).map(({ session_id, status, file }) => ({
      value: session_id,
      about: `${status}${file === null ? '' : `, ${oneLine(file, 60)}`}`,
    }));
  };

async function viewOf(engine: Engine, [plan = '']: string[]) {
  return await engine.service.read(engine.caller, await findPlan(engine, plan));
}

const catalogs: LookUp = async ({ service, caller }) =>
  (await service.execute.catalogs(caller)).map(({ prompt_hash, name }) => ({
    value: prompt_hash,
    about: oneLine(name, 60),
  }));

/** By the name of an argument, or of an option's value. */
const STATIC: Record<string, Candidate[]> = {
  file: [files],
  'file-or-id': [files],
  catalog: [files],
  state: PLAN_STATUSES.map((value) => ({ value })),
};
const LOOKED_UP: Record<string, LookUp> = {
  id: plans,
  'file-or-id': plans,
  catalog: catalogs,
  session: sessions(({ resumable }) => resumable),
  'session-id': sessions(() => true),
  question: async (engine, before) =>
    (await viewOf(engine, before)).questions.map(({ id, prompt }) => ({ value: id, about: oneLine(prompt, 60) })),
  task: async (engine, before) =>
    (await viewOf(engine, before)).tasks.map(({ id, kind, status }) => ({ value: id, about: `${kind}, ${status}` })),
  answer: async (engine, before) =>
    (await viewOf(engine, before)).questions
      .filter(({ id, task }) => before[1] === id || before[1] === task)
      .flatMap(({ options, form }) => (form ? fieldsOf(form) : options.map((value) => ({ value })))),
};

const fieldsOf = ({ properties = {} }: { properties?: unknown }): Candidate[] =>
  Object.keys(properties as object).map((name) => ({ value: `${name}=` }));

/** What a value may be. An engine is asked where one runs, and never started; what goes wrong is not told. */
export async function valuesOf(cli: Cli, value: string, before: string[]): Promise<Candidate[]> {
  const lookUp = LOOKED_UP[value];
  const found = lookUp && Promise.race([ask(cli, lookUp, before), delay(PATIENCE_MS, [], { ref: false })]);
  return [...(STATIC[value] ?? []), ...((await found?.catch(() => [])) ?? [])];
}

async function ask(cli: Cli, lookUp: LookUp, before: string[]): Promise<Candidate[]> {
  if (!(await cli.engine.status()).ready) return [];
  const connection = await cli.engine.connect({ start: false, onProgress() {} });
  try {
    return await lookUp({ ...connection, caller: localCaller('cli completion') }, before, cli);
  } finally {
    await connection.close();
  }
}
