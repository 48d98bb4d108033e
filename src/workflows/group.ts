import {
  CancellationScope,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  getExternalWorkflowHandle,
  proxyActivities,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import { LOOK_AT_HOLDERS, QUERIES, SLOT_ASKED, SLOT_GIVEN, SLOT_GIVEN_BACK, workflowId } from '../contract/names.ts';
import { pack, unpack } from '../contract/packed.ts';
import { payload } from '../contract/payload-size.ts';
import type { GroupInput, HoldersSeen, LookAtHoldersInput, SlotAsked, SlotInput } from '../contract/payloads.ts';
import {
  askSlot,
  type GroupState,
  giveBackSlot,
  giveSlot,
  type LineView,
  lineView,
  type Member,
} from '../plan/group.ts';
import { HANDOVER_EVENTS } from './history-room.ts';

/** While somebody waits, it is looked whether those with a slot are still there: so often at first, then ever less. */
const LOOK_MS = 5_000;
const LONGEST_LOOK_MS = 60_000;

/**
 * The slots of one group of plans, and the line for them. It lives as long as somebody has a slot or waits for one. A slot
 * whose plan was ended from outside comes back: such a plan cannot be told, or is found to have closed.
 */
export async function group(input: GroupInput): Promise<void> {
  const state: GroupState = input.carried ? unpack(input.carried) : { holders: [], line: [] };
  let telling = 0;
  let looking = false;
  let lookAfter = LOOK_MS;

  setHandler(defineSignal<[SlotAsked?]>(SLOT_ASKED), (given) => {
    if (!isMember(given)) return;
    const { schema_version: _, ...member } = given;
    const has = askSlot(state, member);
    if (has) tell(has);
    step();
  });
  setHandler(defineSignal<[SlotInput?]>(SLOT_GIVEN_BACK), (given) => {
    if (given) giveBackSlot(state, given);
    step();
  });
  setHandler(defineQuery<LineView, [string]>(QUERIES.line), (planId) => lineView(state, planId));

  function step(): void {
    for (let next = giveSlot(state, Date.now()); next; next = giveSlot(state, Date.now())) {
      lookAfter = LOOK_MS;
      tell(next);
    }
    if (state.line.length > 0 && !looking) void look();
  }

  function tell({ plan_id, ticket }: Member): void {
    const given: SlotInput = { schema_version: 1, plan_id, ticket };
    telling += 1;
    void getExternalWorkflowHandle(workflowId(input.org_id, plan_id))
      .signal(SLOT_GIVEN, given)
      .catch(() => giveBackSlot(state, given))
      .then(() => {
        telling -= 1;
        step();
      });
  }

  async function look(): Promise<void> {
    looking = true;
    await sleep(lookAfter, { summary: 'a look at who has a slot' });
    lookAfter = Math.min(2 * lookAfter, LONGEST_LOOK_MS);
    const seen = state.line.length > 0 ? await lookAt(input.org_id, state.holders) : undefined;
    looking = false;
    if (seen) act(seen);
    step();
  }

  function act({ ended, moved }: HoldersSeen): void {
    for (const holder of [...state.holders]) {
      const { plan_id, run_id } = holder;
      if (ended.includes(plan_id)) giveBackSlot(state, holder);
      const now = moved[plan_id];
      if (now === undefined || now === run_id) continue;
      holder.run_id = now;
      // It was carried over, or reset: then it may have forgotten its slot, and takes it or gives it back.
      tell(holder);
    }
  }

  const isEmpty = () => state.holders.length === 0 && state.line.length === 0;
  const isFull = () => workflowInfo().historyLength >= HANDOVER_EVENTS;
  await CancellationScope.nonCancellable(async () => {
    step();
    await condition(() => telling === 0 && (isEmpty() || isFull()));
    if (isEmpty()) return;
    const carried = pack(state);
    await continueAsNew<typeof group>(payload('the line of the group', { ...input, carried }));
  });
}

/** An operator may send signals by hand, with nothing in them. */
const isMember = (given: Partial<SlotAsked> | undefined): given is SlotAsked =>
  typeof given?.plan_id === 'string' && typeof given.ticket === 'number' && typeof given.max === 'number';

async function lookAt(org_id: string, holders: Member[]): Promise<HoldersSeen | undefined> {
  const named = holders.map(({ plan_id, run_id }) => ({ plan_id, run_id }));
  return await activities[LOOK_AT_HOLDERS]({ schema_version: 1, org_id, holders: named }).catch(() => undefined);
}

/** What was not seen now is seen the next time. */
const activities = proxyActivities<Record<typeof LOOK_AT_HOLDERS, (input: LookAtHoldersInput) => Promise<HoldersSeen>>>(
  {
    startToCloseTimeout: '30s',
    retry: { maximumAttempts: 1 },
    summary: 'who still has a slot',
  },
);
