import type { Client } from '@temporalio/client';
import type { PlanRef } from '../contract/hints.ts';
import { Fault } from '../faults.ts';
import { type Answer, DECISION, type Decision } from '../plan/questions.ts';
import { readView } from './read-plan.ts';

const WITH_VALUES: Decision = 'complete';

/**
 * Refuses values for an option that takes none: they would be kept as part of the answer, and mean nothing. Said here and not by the
 * plan, whose older histories have taken them. What is not open by now, or has no such option, the plan itself decides on.
 */
export async function mustTakeValues(
  client: Client,
  plan: PlanRef,
  name: string,
  { choice, values = {} }: Answer,
): Promise<void> {
  if (choice === undefined || Object.keys(values).length === 0) return;
  const view = await readView(client, plan).catch(() => undefined);
  const question = view?.questions.find(({ id, task }) => id === name || task === name);
  if (!question || question.form || !question.options.includes(choice)) return;
  if (question.kind === DECISION && choice === WITH_VALUES) return;
  throw new Fault(
    'ANSWER_INVALID',
    `values: "${choice}" takes none, for question "${question.id}" has no form; leave them out, or say it in comment`,
  );
}
