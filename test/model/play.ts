import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isTerminal } from '../../src/plan/lifecycle.ts';
import { http } from '../support/engine.ts';
import { until } from '../support/world.ts';
import { begin, type Command, type Model, PLAN, type Told } from './model.ts';
import { type Answered, explain } from './search.ts';
import type { LifecycleStory, Round } from './story.ts';

/** Where the engine is now; it may be another one after a kill. */
export type Where = () => Promise<string>;

export interface Played {
  story: LifecycleStory;
  plan_id: string;
  /** What cannot be explained; undefined when all can. */
  fault?: string;
  rounds: Answered[][];
}

/** Every story has an end; a kill may swallow the stop, which is then sent again. */
const LAST: Round = { rest: 0, commands: [{ name: 'stop' }] };

/** For what has to come at last, however busy the machine. */
const PATIENCE_MS = 120_000;

/** Plays a story over REST against a real engine, and judges it by the model. */
export async function play(story: LifecycleStory, where: Where, killed: boolean): Promise<Played> {
  const plan_id = randomUUID();
  const played: Played = { story, plan_id, rounds: [] };
  await createPlan(where, plan_id, story.review);
  let models = [begin(story.review)];
  for (const { rest, commands } of [...story.rounds, LAST]) {
    await delay(rest);
    let round: Answered[] = [];
    do {
      const told = await Promise.all(commands.map((command) => send(where, plan_id, command)));
      round = commands.flatMap((command, i) => (told[i] === undefined ? [] : [{ command, told: told[i]! }]));
    } while (commands === LAST.commands && round.length === 0);
    played.rounds.push(round);
    models = explain(models, round, killed);
    if (models.length === 0)
      return { ...played, fault: `round ${played.rounds.length}: no order explains the answers` };
  }
  const ending = await endingOf(where, plan_id);
  if (models.some((model) => matches(model, ending))) return played;
  return { ...played, fault: `no order explains the end: ${JSON.stringify(ending)}` };
}

async function createPlan(where: Where, plan_id: string, review: boolean): Promise<void> {
  const body = { plan: PLAN('0.15'), plan_id, review: review ? 'required' : 'none' };
  await until(
    'the plan is made',
    async () => {
      const answer = await http(await where())
        .post('/api/plans', body)
        .catch(() => undefined);
      if (answer && answer.status >= 500 && answer.status !== 503) throw new Error(answer.text);
      return answer?.status === 201 || answer?.status === 200;
    },
    PATIENCE_MS,
  );
}

/** What the client was told; undefined when the command came to nothing, or a reader was not told the plan's own word. */
async function send(where: Where, id: string, command: Command): Promise<Told | undefined> {
  const api = http(await where());
  if (command.name === 'read') {
    const read = await api.get(`/api/plans/${id}`).catch(() => undefined);
    return read?.status === 200 && read.json.freshness.live ? read.json.state.status : undefined;
  }
  const request_id = randomUUID();
  const answer = await request(api, id, command, request_id).catch(() => undefined);
  const isKnown = answer && answer.status !== 503 && !(answer.status === 202 && answer.headers.get('retry-after'));
  if (isKnown) return answer.status;
  const told = await outcome(where, id, request_id);
  // As its own answer would have said it.
  return told === 200 && command.name !== 'answer' ? 204 : told;
}

function request(api: ReturnType<typeof http>, id: string, command: Command, request_id: string) {
  const path = `/api/plans/${id}`;
  switch (command.name) {
    case 'answer':
      return api.post(`${path}/questions/${command.question}/answer`, { choice: command.choice, request_id });
    case 'pause strictly':
      return api.put(`${path}/pause`, { request_id }, { prefer: 'handling=strict' });
    default:
      return api.put(`${path}/${command.name}`, { request_id });
  }
}

const DONE: Record<string, number> = { done: 204, accepted: 202 };

/** What became of a command whose answer was lost. */
async function outcome(where: Where, id: string, request_id: string): Promise<Told | undefined> {
  const found = await until(
    'the outcome is known',
    async () => {
      const answer = await http(await where())
        .get(`/api/plans/${id}/commands/${request_id}`)
        .catch(() => undefined);
      if (!answer || answer.status >= 500 || answer.json.result === 'pending') return undefined;
      return answer;
    },
    PATIENCE_MS,
  );
  if (found.status !== 200) return found.json.code === 'COMMAND_NOT_FOUND' ? undefined : found.status;
  return found.json.record ? 200 : DONE[found.json.result];
}

interface Ending {
  status: string;
  log: string[];
}

const TOLD = /^(PlanApproved|PlanPaused|PlanResumed|PlanStopped|PlanCompleted|PlanFailed|QuestionAnswered)$/;

async function endingOf(where: Where, id: string): Promise<Ending> {
  return await until(
    'the plan has ended',
    async () => {
      const api = http(await where());
      const read = await api.get(`/api/plans/${id}`).catch(() => undefined);
      if (!read?.json?.freshness?.live || !isTerminal(read.json.state.status)) return undefined;
      const timeline = await api.get(`/api/plans/${id}/timeline`).catch(() => undefined);
      if (timeline?.status !== 200) return undefined;
      const entries = timeline.json.entries as { type: string; question?: string }[];
      const log = entries
        .filter(({ type }) => TOLD.test(type))
        .map(({ type, question }) => (question ? `${type} ${question}` : type));
      return { status: read.json.state.status, log };
    },
    PATIENCE_MS,
  );
}

const matches = (model: Model, { status, log }: Ending): boolean =>
  model.ended === status && JSON.stringify(model.log) === JSON.stringify(log);
