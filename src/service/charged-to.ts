import type { PlanInput } from '../contract/payloads.ts';
import type { ReadPlan } from './plan-file.ts';

/** The label that names the project whose money a plan spends. */
const PROJECT = 'project';

/** What the calls of models of a plan are charged to: by its file, and by whoever creates it. */
export function chargedTo(
  { budget, labels }: Pick<ReadPlan, 'budget' | 'labels'>,
  given: { chat?: string; project?: string } = {},
): Pick<PlanInput, 'charged_to'> {
  const { chat, project = labels[PROJECT] } = given;
  const charged = {
    ...(chat !== undefined && { chat }),
    ...(project !== undefined && { project }),
    ...(budget && { budget }),
  };
  return Object.keys(charged).length > 0 ? { charged_to: charged } : {};
}
