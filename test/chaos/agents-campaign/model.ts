import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Asked, llmStub } from '../../support/llm-stub.ts';
import { tempDir } from '../../support/world.ts';
import { FULL } from '../campaign.ts';

/** Money for a million tokens. */
const PRICES = { input_cost: 3, output_cost: 15 } as const;

/** How long an answer takes to begin, about: with many pipelines, as long as real ones do. */
const TAKES_MS = FULL ? 2_000 : 200;

/** One question, whether it was asked once, or again after a kill. */
export interface Question {
  chat: string;
  /** The plan and the task that ask: each asks one question, unless something is paid twice. */
  plan_id: string;
  task: string;
  tokens: number;
  cost: number;
  /** What is reserved for it. */
  reserved: number;
  /** What it comes to beyond what is reserved for it: a token for four characters, and all that it may answer. */
  over: number;
  answered: boolean;
}

/**
 * A model with prices, whose answers take a moment and come in pieces; some are longer than was asked for. The same question has
 * the same answer. `rounds`: of remediation that the reviewers want.
 */
export async function pricedModel(rounds: 0 | 2) {
  /** By their `Idempotency-Key`, in the order in which they were first asked. */
  const questions = new Map<string, Question>();
  const waiting: string[] = [];
  const stub = await llmStub(async (asked) => {
    const key = keyOf(asked);
    const random = randomBy(key);
    const usage = { input_tokens: tokensIn(textsOf(asked)), output_tokens: Math.ceil(random() * 1.25 * mostOf(asked)) };
    if (!questions.has(key)) questions.set(key, questionOf(asked, usage));
    waiting.push(key);
    await delay(TAKES_MS * (0.25 + random()));
    waiting.splice(waiting.indexOf(key), 1);
    return { text: textFor(asked, rounds), ...usage, pieces: 4, every_ms: Math.round(random() * 40) };
  });
  stub.onAnswered((asked) => {
    questions.get(keyOf(asked))!.answered = true;
  });
  const file = join(tempDir('models'), 'models.yaml');
  writeFileSync(file, JSON.stringify({ priced: { model: 'priced-1', ...PRICES } }));
  return {
    questions,
    calls: stub.calls,
    env: { HOLDPOINT_LLM_BASE_URL: stub.base_url, HOLDPOINT_LLM_MODEL: 'priced', HOLDPOINT_LLM_MODELS: file },
    /** Questions to which nothing has come yet. */
    waiting: () => [...waiting],
    isAnswered: (key: string) => questions.get(key)!.answered,
    /** Answers that went out whole, and those of them that were given a second time. */
    answered: stub.answered,
    repeated: stub.repeated,
    stop: stub.stop,
  };
}
export type PricedModel = Awaited<ReturnType<typeof pricedModel>>;

const keyOf = ({ headers }: Asked): string => String(headers['idempotency-key']);
const mostOf = ({ body }: Asked): number => Number(body.max_tokens);
const tokensIn = (text: string): number => Math.ceil(text.length / 4);
const textsOf = ({ messages }: Asked): string => messages.map(({ content }) => String(content)).join('');
const costOf = (input: number, output: number): number =>
  (input * PRICES.input_cost + output * PRICES.output_cost) / 1e6;

/** `PLAN/GENERATION/TASK#…` */
const PARTS = /^([^/]+)\/[^/]+\/([^#]+)#/;

function questionOf(asked: Asked, usage: { input_tokens: number; output_tokens: number }): Question {
  const { input_tokens, output_tokens } = usage;
  const [, plan_id = '', task = ''] = PARTS.exec(keyOf(asked)) ?? [];
  const reserved = costOf(tokensIn(textsOf(asked) + (asked.schema ? JSON.stringify(asked.schema) : '')), mostOf(asked));
  const cost = costOf(input_tokens, output_tokens);
  return {
    chat: /chat-\d+/.exec(asked.user)?.[0] ?? '',
    plan_id,
    task,
    tokens: input_tokens + output_tokens,
    cost,
    reserved,
    over: Math.max(0, cost - reserved),
    answered: false,
  };
}

/** What the agents say goes into the questions of those after them: so each question names its chat. */
function textFor({ schema, system, user }: Asked, rounds: number): string {
  const chat = /chat-\d+/.exec(user)?.[0];
  const { intent, approved } = (schema as { properties?: Record<string, object> } | undefined)?.properties ?? {};
  if (intent) {
    const isFix = (user.split('sort:').at(-1) ?? '').includes('Mend');
    return JSON.stringify({ intent: isFix ? 'fix' : 'build', scope: 'full', needsBackend: true });
  }
  if (!approved) return `what ${chat} needs`;
  const round = Number(/remediation, round (\d)/.exec(system)?.[1] ?? 0);
  return JSON.stringify({ approved: round >= rounds, issues: [`of ${chat}`] });
}

/** Numbers from 0 to 1, the same for the same text. */
function randomBy(text: string): () => number {
  let n = 0;
  return () => createHash('sha256').update(`${text} ${n++}`).digest().readUInt32BE() / 2 ** 32;
}
