import { allows, COMMANDS, type CommandName, isTerminal } from '../../../plan/lifecycle.ts';
import type { Me, Plan } from '../../api/types.ts';
import type { Underway } from './underway.ts';

/** What is asked of the API. */
export type Deed = CommandName | 'next_run' | 'edited_run';
type Permission = Me['permissions'][number];

export interface About {
  plan: Plan;
  me: Me | undefined;
  /** What this page has sent and that has no answer yet. */
  underway: readonly Underway[];
}

/** Why the API would refuse something just now, as far as this page can know; undefined when it may be asked for. */
export function refusal(deed: Deed, { plan, me, underway }: About, target?: string): string | undefined {
  const waits = underway.find((each) => each.target === target && (each.is === 'sent' || each.deed === deed));
  if (waits?.is === 'kept') return `“${waits.words}” is kept, and takes effect when a worker is there`;
  if (waits) return `“${waits.words}” is on its way`;
  if (plan.stopping) return 'the plan is being stopped';
  return notAllowed(deed, plan, me) ?? notNow(deed, plan);
}

/** Why somebody may not do it, whatever state the plan is in. */
export function notAllowed(deed: Deed, plan: Plan, me: Me | undefined): string | undefined {
  if (!me) return 'what you may do is not known yet';
  if (me.permissions.includes('admin')) return undefined;
  const lacking = needed(deed, plan).filter((permission) => !me.permissions.includes(permission));
  return lacking.length === 0 ? undefined : `needs the permission ${lacking.join(' and ')}, which you do not have`;
}

/** A next run is its starter's, who has to be allowed what its tasks do. */
function needed(deed: Deed, { tasks }: Plan): Permission[] {
  if (deed !== 'next_run' && deed !== 'edited_run') return ['plan:approve'];
  const runs = tasks.some(({ kind }) => kind === 'run');
  return [
    'plan:approve',
    ...(deed === 'edited_run' ? (['plan:create'] as const) : []),
    ...(runs ? (['plan:run_commands'] as const) : []),
  ];
}

function notNow(deed: Deed, { state: { status }, pausing, stopping }: Plan): string | undefined {
  if (deed === 'next_run' || deed === 'edited_run')
    return isTerminal(status) && status !== 'completed' ? undefined : `a plan that is ${status} has no next run`;
  // The page may have heard of its end before it has read that it is no longer being paused.
  if (allows(deed, { status, pausing: pausing && status === 'executing', stopping })) return undefined;
  return `cannot ${COMMANDS[deed].verb} a plan that is ${pausing ? 'being paused' : status}`;
}
