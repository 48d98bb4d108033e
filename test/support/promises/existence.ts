import { PLAN_FAILED, PLAN_STOPPED } from '../../../src/contract/names.ts';
import type { Story, Violation } from './story.ts';

const WAITS_FOR_SOMEBODY = ['pending_review', 'stand_by', 'awaiting_input', 'paused'];
const ENDED_WELL = ['succeeded', 'skipped', 'failed'];

/** 1. A plan acknowledged exists, and ends when faults end: by its own rules, and never as completed with work left. */
export function existence(story: Story): Violation[] {
  const { plan_id, runs, status, tasks = [], faults } = story;
  const broken = (message: string, at = plan_id): Violation[] => [{ promise: 1, message, at }];
  const last = runs.at(-1);
  if (!last) return broken('the plan does not exist');
  const violations = runs.flatMap(({ ending, run_id }, i) => {
    if (!ending) return i < runs.length - 1 ? broken('a run is open although another came after it', run_id) : [];
    if (ending.how === 'continued' && i === runs.length - 1)
      return broken('the run handed over to one that is not there', run_id);
    if (ending.how === 'failed' && ending.type !== PLAN_FAILED && ending.type !== PLAN_STOPPED)
      return broken(`the run ended as no plan does: ${ending.type || 'failed'}`, run_id);
    return ['terminated', 'timed_out', 'cancelled'].includes(ending.how)
      ? broken(`the run was ${ending.how} from outside`, run_id)
      : [];
  });
  if (!last.ending && !faults && !WAITS_FOR_SOMEBODY.includes(status ?? ''))
    violations.push(...broken(`the plan has not ended: ${status ?? 'state unknown'}`, last.run_id));
  if (last.ending?.how === 'completed' && status !== undefined && status !== 'completed')
    violations.push(...broken(`Temporal says completed, the plan says ${status}`, last.run_id));
  if (status === 'completed')
    for (const { id, status } of tasks)
      if (!ENDED_WELL.includes(status)) violations.push(...broken(`completed with task ${id} ${status}`, id));
  return violations;
}
