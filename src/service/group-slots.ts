import type { Client } from '@temporalio/client';
import { ENGINE_QUEUE, GROUP_WORKFLOW, groupId, QUERIES, SLOT_ASKED, workflowId } from '../contract/names.ts';
import type { AskForSlotInput, GroupInput, HoldersSeen, LookAtHoldersInput, SlotAsked } from '../contract/payloads.ts';
import { Fault } from '../faults.ts';
import type { LineView } from '../plan/group.ts';
import type { PlanView } from '../plan/view.ts';
import { describePlan } from './described.ts';
import { ask, type Patience } from './queries.ts';

/** Asks a plan's group for a slot; the first to ask starts the group's workflow. */
export async function askForSlot(client: Client, { org_id, group, asked }: AskForSlotInput): Promise<void> {
  await client.workflow.signalWithStart<(input: GroupInput) => Promise<void>, [SlotAsked]>(GROUP_WORKFLOW, {
    workflowId: groupId(org_id, group),
    taskQueue: ENGINE_QUEUE,
    args: [{ schema_version: 1, org_id, group }],
    signal: SLOT_ASKED,
    signalArgs: [asked],
    workflowTaskTimeout: '5s',
    staticSummary: `group ${group}`,
  });
}

/** Looks which of these plans have ended, however they did, and which are in another Temporal run than before. */
export async function lookAtHolders(client: Client, { org_id, holders }: LookAtHoldersInput): Promise<HoldersSeen> {
  const seen: HoldersSeen = { ended: [], moved: {} };
  for (const { plan_id, run_id } of holders) {
    const found = await describePlan(client, workflowId(org_id, plan_id), plan_id).catch((error: unknown) => {
      if (error instanceof Fault && error.code === 'PLAN_NOT_FOUND') return undefined;
      throw error;
    });
    if (!found?.open) seen.ended.push(plan_id);
    else if (found.run_id !== run_id) seen.moved[plan_id] = found.run_id;
  }
  return seen;
}

/** A view tells all but the place, without it. */
const PATIENCE: Patience = { deadlineMs: 400, totalMs: 400, settled: true };

/** The view of a plan that waits for a slot, with its place in the line and who has one: only its group knows. */
export async function withPlace(client: Client, orgId: string, view: PlanView): Promise<PlanView> {
  const { concurrency, plan_id } = view;
  if (concurrency?.slot !== 'waiting') return view;
  const line = await ask<LineView>(client, { id: groupId(orgId, concurrency.group) }, QUERIES.line, plan_id, PATIENCE);
  if (typeof line === 'symbol' || line.place === null) return view;
  const { place, holders } = line;
  const told = `, ${placeInWords(place)}${behind(line)}`;
  return {
    ...view,
    concurrency: { ...concurrency, place, running: holders },
    waiting_for: view.waiting_for.map((one) => (one.what === 'group' ? { ...one, text: one.text + told } : one)),
  };
}

const placeInWords = (place: number): string => (place === 1 ? 'next in line' : `place ${place} in line`);

function behind({ holders, running }: LineView): string {
  const [first] = holders;
  if (first === undefined) return '';
  return running === 1 ? `, behind plan ${first}` : `, behind plan ${first} and ${running - 1} more at work`;
}
