import {
  CancellationScope,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  defineUpdate,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type {
  LedgerBudgetSet,
  LedgerCheck,
  LedgerEntries,
  LedgerEntry,
  LedgerInput,
  LedgerLimitsSet,
  LedgerSeen,
  LedgerView,
} from '../contract/ledger-payloads.ts';
import { LEDGER_BUDGET, LEDGER_ENTRIES, LEDGER_LIMITS_SET, LEDGER_QUERIES, LEDGER_TOLD } from '../contract/names.ts';
import { pack, unpack } from '../contract/packed.ts';
import { payload } from '../contract/payload-size.ts';
import { carriedLedger, ledgerFrom } from '../plan/carried-ledger.ts';
import {
  budgetOf,
  changeBudget,
  changeLimits,
  dayOf,
  emptyLedger,
  learnBudget,
  outcomeOf,
  type Refused,
  type Reserved,
  reserve,
  settle,
  spentOf,
  wouldBreak,
} from '../plan/ledger.ts';
import { HANDOVER_EVENTS } from './history-room.ts';

/**
 * What the calls of models of one organisation come to, and its limits. The rules are in `plan/ledger.ts`; whoever tells it
 * something asks afterwards what came of it. It never ends.
 */
export async function ledger(input: LedgerInput): Promise<void> {
  const state = input.carried ? ledgerFrom(unpack(input.carried)) : emptyLedger();

  function take(entries: LedgerEntry[] = []): (Reserved | null)[] {
    return entries.map((entry) => {
      if ('settle' in entry) settle(state, entry.settle, Date.now());
      if (!('reserve' in entry)) return null;
      reserve(state, entry.reserve, Date.now());
      return outcomeOf(state, entry.reserve.id) ?? null;
    });
  }

  setHandler(defineSignal<[LedgerEntries?]>(LEDGER_ENTRIES), (given) => void take(given?.entries));
  setHandler(defineUpdate<(Reserved | null)[], [LedgerEntries?]>(LEDGER_TOLD), (given) => take(given?.entries));
  setHandler(defineSignal<[LedgerLimitsSet?]>(LEDGER_LIMITS_SET), (given) => changeLimits(state, given?.limits ?? {}));
  setHandler(defineSignal<[LedgerBudgetSet?]>(LEDGER_BUDGET), (given) => {
    if (given?.file) learnBudget(state, given.plan, given.file);
    if (given) changeBudget(state, given.plan, given.budget);
  });
  setHandler(defineQuery<(Reserved | null)[], [string[]]>(LEDGER_QUERIES.outcomes), (ids) =>
    ids.map((id) => outcomeOf(state, id) ?? null),
  );
  setHandler(defineQuery<{ refused: Refused | null }, [LedgerCheck]>(LEDGER_QUERIES.check), ({ now, ...call }) => ({
    refused: wouldBreak(state, call, now) ?? null,
  }));
  setHandler(defineQuery<LedgerView, [LedgerSeen]>(LEDGER_QUERIES.view), ({ now, plan, chat, project }) => ({
    limits: state.limits,
    day: { date: dayOf(now), ...spentOf(state, `day:${dayOf(now)}`) },
    ...(plan !== undefined && {
      plan: { ...spentOf(state, `plan:${plan}`), budget: budgetOf(state, plan), known: state.budgets.has(plan) },
    }),
    ...(chat !== undefined && { chat: spentOf(state, `chat:${chat}`) }),
    ...(project !== undefined && { project: spentOf(state, `project:${project}`) }),
  }));

  await CancellationScope.nonCancellable(async () => {
    await condition(() => workflowInfo().historyLength >= HANDOVER_EVENTS);
    const carried = pack(carriedLedger(state));
    await continueAsNew<typeof ledger>(payload('the ledger', { ...input, carried }));
  });
}
