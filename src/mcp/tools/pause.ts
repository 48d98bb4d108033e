import { z } from 'zod';
import type { CommandAnswer } from '../../service/control-plan.ts';
import { STEERS } from '../annotations.ts';
import { comment, idempotencyKey, planId } from '../arguments.ts';
import { defineTool } from '../tool.ts';

const SAID: Record<CommandAnswer['result'], { status: 'paused' | 'pausing' | 'pause_queued'; message: string }> = {
  done: { status: 'paused', message: 'Nothing new starts. plan_resume lifts the pause.' },
  accepted: { status: 'pausing', message: 'Nothing new starts; it is paused when what runs has ended.' },
  pending: { status: 'pause_queued', message: 'The pause is kept, but no worker has answered yet: see plan_status.' },
};

export const planPause = defineTool({
  name: 'plan_pause',
  title: 'Pause a plan',
  description: `Lets nothing new start in a plan until plan_resume. Tasks that run are not cut off: they end first (status pausing). Nothing is lost, however long the pause.
To end what runs at once, use plan_stop.
Errors: PLAN_INVALID_STATE when it is paused already or has ended; PLAN_NOT_FOUND.`,
  annotations: STEERS,
  input: z.strictObject({ plan_id: planId, comment, idempotency_key: idempotencyKey }),
  output: z.object({
    plan_id: z.string(),
    status: z.enum(['paused', 'pausing', 'pause_queued']),
    message: z.string(),
    request_id: z.string(),
  }),
  async run({ service, caller }, { plan_id, comment, idempotency_key }) {
    const { result, request_id } = await service.command(caller, plan_id, 'pause', {
      comment,
      request_id: idempotency_key,
    });
    return { body: { plan_id: plan_id.toLowerCase(), ...SAID[result], request_id } };
  },
});
