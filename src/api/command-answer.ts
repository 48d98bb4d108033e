import type { Response } from 'express';
import type { AnswerRecord } from '../plan/state.ts';
import type { CommandAnswer } from '../service/control-plan.ts';
import { json, type Operation } from './openapi/operation.ts';
import { accepted } from './shapes/command.ts';

/** 204 when it took effect, 202 when it will at the next task boundary or nobody could tell yet. */
export function sendCommandAnswer(response: Response, id: string, { result, request_id }: CommandAnswer): void {
  const plan_id = id.toLowerCase();
  const outcome = `/api/plans/${plan_id}/commands/${encodeURIComponent(request_id)}`;
  if (result === 'done') response.status(204).end();
  else if (result === 'accepted') response.status(202).location(outcome).json({ plan_id, request_id, pausing: true });
  else {
    const message = 'the command is kept, but no worker has answered yet; ask for its outcome later';
    response.status(202).set('Retry-After', '1').location(outcome).json({ plan_id, request_id, message });
  }
}

/** How `sendCommandAnswer` answers. */
export const commandAnswers: Operation['answers'] = {
  202: {
    description: 'It is kept and takes effect later: when what runs has ended, or when a worker answers',
    headers: ['Location', 'Retry-After'],
    content: json(accepted),
  },
  204: { description: 'It took effect' },
};

export const recordView = ({ at, ...record }: AnswerRecord) => ({ ...record, at: new Date(at).toISOString() });
