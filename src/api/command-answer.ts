import type { Response } from 'express';
import { z } from 'zod';
import type { AnswerRecord } from '../plan/state.ts';
import type { CommandAnswer } from '../service/control-plan.ts';

/** What every command may carry; the workflow keeps both for as long as the plan lives. */
export const commandFields = {
  request_id: z.string().min(1).max(200).optional(),
  comment: z.string().max(10_000).optional(),
};
export const plainCommand = z.strictObject(commandFields);

/** 204 when it took effect, 202 when it will at the next task boundary or nobody could tell yet. */
export function sendCommandAnswer(response: Response, plan_id: string, { result, request_id }: CommandAnswer): void {
  if (result === 'done') response.status(204).end();
  else if (result === 'accepted') response.status(202).json({ plan_id, request_id, pausing: true });
  else {
    const message = 'the command is kept, but no worker has answered yet; ask for its outcome later';
    const outcome = `/api/plans/${encodeURIComponent(plan_id)}/commands/${encodeURIComponent(request_id)}`;
    response.status(202).set('Retry-After', '1').location(outcome).json({ plan_id, request_id, message });
  }
}

export const recordView = ({ at, ...record }: AnswerRecord) => ({ ...record, at: new Date(at).toISOString() });
