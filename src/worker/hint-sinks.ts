import type { InjectedSinks } from '@temporalio/worker';
import type { HintSinks } from '../contract/hints.ts';
import type { Bus } from '../service/bus.ts';

/** Takes the hints of plan workflows to the bus; where nobody listens, nowhere. A replay tells nothing new. */
export function hintSinks(bus?: Bus): InjectedSinks<HintSinks> {
  return { hints: { moved: { fn: (_info, plan) => bus?.publish(plan), callDuringReplay: false } } };
}
