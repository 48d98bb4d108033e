import type { Chat } from './chat.ts';
import type { MortalEngine } from './engine.ts';
import type { PricedModel, Question } from './model.ts';

/** Money to nine places, as the ledger counts it: sums of binary fractions are not exact. */
export const money = (cost: number): number => Math.round(cost * 1e9) / 1e9;
const sumOfAll = (all: number[]): number => all.reduce((sum, one) => sum + one, 0);
const sumOf = (questions: Question[], what: 'tokens' | 'cost'): number =>
  money(questions.reduce((sum, one) => sum + one[what], 0));

/**
 * What the model's server counts and what the ledger counts, side by side. The server counts every question that it has answered
 * whole; the ledger those whose answer has come. `lost`: answered to an engine that was killed before it had kept the answer, and
 * not asked again since. Of an answer whose task has not succeeded yet only the ledger can say whether it was kept.
 */
export async function books(engine: MortalEngine, model: PricedModel, chats: Chat[], projectId: string) {
  const done = await completedTasks(engine, chats);
  const answered = [...model.questions.values()].filter((question) => question.answered);
  const { project, today } = (await engine.get(`/settings/limits?projectId=${projectId}`)).json.spent;
  const ledgers: [string, number][] = [];
  for (const { chatId } of chats) {
    const { spent } = (await engine.get(`/settings/limits?chatId=${chatId}`)).json;
    ledgers.push([chatId, spent.chat.tokens]);
  }
  const isDone = ({ plan_id, task }: Question) => done.has(`${plan_id} ${task}`);
  const kept = ledgers.flatMap(([chatId, tokens]) => {
    const own = answered.filter(({ chat }) => chat === chatId);
    const [sure, open] = [own.filter(isDone), own.filter((one) => !isDone(one))];
    const counted = subsets(open).find((some) => sumOf([...sure, ...some], 'tokens') === tokens);
    return [...sure, ...(counted ?? [])];
  });
  const lost = answered.filter((question) => !kept.includes(question));
  const ofChat = ({ chatId }: Chat) => kept.filter(({ chat }) => chat === chatId);
  return {
    stub: {
      tokens: sumOf(kept, 'tokens'),
      cost: sumOf(kept, 'cost'),
      chats: Object.fromEntries(chats.map((chat) => [chat.chatId, sumOf(ofChat(chat), 'tokens')])),
    },
    ledger: { tokens: project.tokens, cost: money(project.cost), chats: Object.fromEntries(ledgers) },
    /** Of the day, unless it has ended meanwhile. */
    today: { date: today.date as string, tokens: today.tokens as number, cost: money(today.cost) },
    reserved: project.reserved,
    /** Reserved for questions whose task has not succeeded. */
    unsure: money(
      sumOfAll([...model.questions.values()].filter((one) => !isDone(one)).map(({ reserved }) => reserved)),
    ),
    /** All that the server has answered, each question once. */
    charged: sumOf(answered, 'cost'),
    lost,
  };
}

/** Of the few questions that a chat has open at once. */
function subsets([first, ...others]: Question[]): Question[][] {
  if (!first) return [[]];
  const some = subsets(others);
  return [...some, ...some.map((chosen) => [first, ...chosen])];
}

async function completedTasks(engine: MortalEngine, chats: Chat[]): Promise<Set<string>> {
  const done = new Set<string>();
  for (const id of chats.flatMap(({ runs }) => [...runs])) {
    const { tasks } = (await engine.get(`/api/plans/${id}`)).json as { tasks: { id: string; status: string }[] };
    for (const task of tasks) if (task.status === 'succeeded') done.add(`${id} ${task.id}`);
  }
  return done;
}

/** Calls that may have been in flight when the last one was granted: each chat's last, and reviewers beside each other. */
export function overshoot({ questions }: PricedModel, chats: Chat[]): number {
  const all = [...questions.values()];
  return money(
    chats
      .flatMap(({ chatId }) => {
        const own = all.filter(({ chat }) => chat === chatId);
        return own.slice(isReview(own.at(-1)) ? -3 : -1);
      })
      .reduce((sum, { over }) => sum + over, 0),
  );
}
const isReview = (question: Question | undefined): boolean => /_(code-review|security|qa)/.test(question?.task ?? '');
