import { answer, call, planPath, requestId } from '../../api/client.ts';
import { isPassing, planQuery, queryClient } from '../../api/queries.ts';
import type { AnswerRecord, CommandAccepted, CommandOutcome } from '../../api/types.ts';
import { notify, notifyError } from '../../ui/notices.tsx';
import type { Deed } from './refusal.ts';
import { beginUnderway, underwayOf } from './underway.ts';

export interface Command {
  planId: string;
  deed: Deed;
  target?: string | undefined;
  /** What its button says. */
  words: string;
  method: 'PUT' | 'POST' | 'DELETE';
  /** Below the plan's address. */
  path: string;
  body?: object;
}

/** What became of it: `accepted` takes effect when what runs has ended, `pending` when a worker is there. */
export type Sent =
  | { result: 'done'; record?: AnswerRecord }
  | { result: 'accepted' | 'pending' }
  | { result: 'refused'; error: unknown }
  | { result: 'not_sent' };

const FOLLOW_MS = 1_500;

/**
 * Sends a command, once however often its button is pressed, and reads the plan again before it counts as over: no button offers
 * meanwhile what is not known to be so any more. Refusals are handed back.
 */
export async function sendCommand(command: Command): Promise<Sent> {
  const { planId, deed, target, words } = command;
  if (underwayOf(planId).some((each) => each.target === target && (each.is === 'sent' || each.deed === deed)))
    return { result: 'not_sent' };
  const underway = beginUnderway(planId, { deed, target, words });
  const request_id = requestId();
  const sent = await send(command, request_id);
  if (sent.result === 'pending') {
    underway.isKept();
    notify(`“${words}” is kept: no worker has answered yet. It takes effect when one is there.`, 'orange');
    void follow(command, request_id).then(underway.isOver);
    return sent;
  }
  await readAgain(planId);
  underway.isOver();
  return sent;
}

/** The same, with a refusal told in a notice. */
export async function sendAndTell(command: Command): Promise<Sent> {
  const sent = await sendCommand(command);
  if (sent.result === 'refused') notifyError(sent.error);
  return sent;
}

async function send({ planId, method, path, body }: Command, request_id: string): Promise<Sent> {
  try {
    const response = await answer(method, planPath(planId, path), { body: { ...body, request_id } });
    if (response.status === 204) return { result: 'done' };
    const said = (await response.json()) as CommandAccepted | AnswerRecord;
    if (response.status === 200) return { result: 'done', record: said as AnswerRecord };
    return { result: (said as CommandAccepted).pausing ? 'accepted' : 'pending' };
  } catch (error) {
    return { result: 'refused', error };
  }
}

/** Asks what became of a command that was kept until that is known, and tells it. */
async function follow({ planId, words }: Command, request_id: string): Promise<void> {
  for (;;) {
    await new Promise((then) => setTimeout(then, FOLLOW_MS));
    try {
      const path = planPath(planId, `/commands/${encodeURIComponent(request_id)}`);
      const { result } = await call<CommandOutcome>('GET', path);
      if (result === 'pending') continue;
      notify(`“${words}” has taken effect.`, 'green');
      break;
    } catch (error) {
      if (isPassing(error)) continue;
      notify(`“${words}”, which was kept, was refused: ${(error as Error).message}`, 'red');
      break;
    }
  }
  await readAgain(planId);
}

export const readAgain = (planId: string): Promise<void> =>
  queryClient.refetchQueries({ queryKey: planQuery(planId).queryKey, exact: true });
