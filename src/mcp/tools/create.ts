import { z } from 'zod';
import { isTerminal } from '../../plan/lifecycle.ts';
import { mustHave } from '../../service/caller.ts';
import { idempotentId } from '../../service/ids.ts';
import { STARTS } from '../annotations.ts';
import { idempotencyKey, jsonObject, planFile, textOf } from '../arguments.ts';
import { eventsUrl, sseUrl } from '../events-url.ts';
import { PLAN_FILES } from '../plan-files.ts';
import { wordOf } from '../plan-status.ts';
import { STATES } from '../plan-words.ts';
import { defineTool } from '../tool.ts';

export const planCreate = defineTool({
  name: 'plan_create',
  title: 'Create a plan',
  description: `Starts a plan, a graph of tasks, and answers with its plan_id at once; the plan runs on its own and survives restarts.
Follow it with plan_wait, or plan_status now and then. Check a plan file first with plan_validate, which starts nothing.
Give an idempotency_key where you may have to call again after a lost answer: the same key with the same plan is the same plan (deduplicated: true).
${PLAN_FILES}
Errors: PLAN_INVALID with every wrong place in details.errors; PLAN_EXISTS when the key was used for another plan.`,
  annotations: { ...STARTS, idempotentHint: true },
  input: z.strictObject({
    plan: planFile,
    inputs: jsonObject.optional().describe('Values for the inputs that the plan declares'),
    idempotency_key: idempotencyKey,
  }),
  output: z.object({
    plan_id: z.string(),
    state: z.enum(STATES),
    created_at: z.string().describe('ISO 8601'),
    deduplicated: z.literal(true).optional().describe('The same plan was there already'),
    message: z.string(),
    sse_url: sseUrl,
  }),
  async run({ service, caller, place, api }, { plan, inputs, idempotency_key: key }) {
    // Of a plan that is there already, it tells where that stands.
    if (key !== undefined) mustHave(caller, 'plan:read');
    const { org_id, id } = caller.principal;
    const { plan_id, created } = await service.create(caller, {
      plan: textOf(plan),
      ...(inputs && { inputs }),
      ...(key !== undefined && { plan_id: idempotentId(org_id, id, key) }),
      place: place(),
    });
    const url = eventsUrl(api, plan_id);
    if (created) {
      const message = 'Started. Next: plan_wait.';
      const made = { plan_id, state: 'pending' as const, created_at: new Date().toISOString(), message };
      return { body: { ...made, ...(url !== undefined && { sse_url: url }) } };
    }
    const view = await service.read(caller, plan_id);
    const message = 'This plan was there already. Next: plan_status.';
    const state = wordOf(view);
    const was = { plan_id, state, created_at: view.created_at, deduplicated: true as const, message };
    return { body: { ...was, ...(url !== undefined && !isTerminal(view.state.status) && { sse_url: url }) } };
  },
});
