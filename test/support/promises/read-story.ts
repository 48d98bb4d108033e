import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { fileStores } from '../../../src/activities/stores.ts';
import { QUERIES, workflowId } from '../../../src/contract/names.ts';
import { unpack } from '../../../src/contract/packed.ts';
import type { EventsPage, PlanInput } from '../../../src/contract/payloads.ts';
import type { Outcome } from '../../../src/plan/outcome.ts';
import type { PlanView } from '../../../src/plan/view.ts';
import { localCaller } from '../../../src/service/caller.ts';
import { ask } from '../../../src/service/queries.ts';
import { createService } from '../../../src/service/service.ts';
import { endingOf, factsOf, type HistoryEvent } from './facts.ts';
import type { Run, Story, ToldAnswer, Witness } from './story.ts';

export interface PlanToCheck {
  client: Client;
  orgId: string;
  planId: string;
  witness?: Witness;
  /** What each task needs; read from the plan itself when left out. */
  edges?: Record<string, string[]>;
  answers?: ToldAnswer[];
  faults?: boolean;
}

/** Reads all there is to know of a plan; needs a worker that answers queries. With each run goes its history, for replay. */
export async function readStory(given: PlanToCheck): Promise<{ story: Story; histories: RunHistory[] }> {
  const { client, orgId, planId, witness, edges, answers = [], faults = false } = given;
  const id = workflowId(orgId, planId);
  const histories = await runsOf(client, id);
  const caller = localCaller('promises');
  const asked = { ...caller, principal: { ...caller.principal, org_id: orgId } };
  const service = createService(client, fileStores('/nowhere'));
  const view = histories.length > 0 ? await service.read(asked, planId) : undefined;
  const events = histories.length > 0 ? await service.events(asked, planId, 0) : [];
  const kept = (requestId: string) => ask<Outcome>(client, { id }, QUERIES.controlOutcome, requestId);
  const { children, more } = await childrenOf(client, histories);
  const story: Story = {
    plan_id: planId,
    runs: histories.map(asRun),
    children,
    events,
    ...(view && { status: view.state.status, tasks: view.tasks }),
    needs: edges ?? Object.fromEntries((view?.tasks ?? []).map(({ id, needs }) => [id, needs])),
    ...(witness && { witness }),
    answers: await Promise.all(
      answers.map(async (told) => {
        const outcome = await kept(told.request_id);
        return { told, kept: typeof outcome === 'symbol' ? undefined : outcome };
      }),
    ),
    faults,
  };
  return { story, histories: [...histories, ...more] };
}

export interface RunHistory {
  workflow_id: string;
  run_id: string;
  begins: Run['begins'];
  events: HistoryEvent[];
}

const asRun = ({ workflow_id, run_id, begins, events }: RunHistory): Run => ({
  workflow_id,
  run_id,
  begins,
  facts: factsOf(events),
  ending: endingOf(events.at(-1)),
  fingerprints: fingerprints(events[0]),
});

/** Every run under a Workflow Id, in order. The list lags, so it is asked until it shows the latest run and all it follows on. */
async function runsOf(client: Client, id: string): Promise<RunHistory[]> {
  const latest = await client.workflow
    .getHandle(id)
    .describe()
    .catch(() => undefined);
  if (!latest) return [];
  for (let tries = 0; ; tries++) {
    const listed: { runId: string; startTime: Date }[] = [];
    for await (const { runId, startTime } of client.workflow.list({ query: `WorkflowId = '${id}'` }))
      listed.push({ runId, startTime });
    listed.sort((a, b) => a.startTime.getTime() - b.startTime.getTime());
    const runs = await Promise.all(
      listed.map(({ runId }, i) => historyOf(client, id, runId, i > 0 ? 'next' : 'first')),
    );
    const known = new Set(runs.map(({ run_id }) => run_id));
    const before = runs.flatMap(({ events }) => continued(events[0]) || []);
    if (known.has(latest.runId) && before.every((run) => known.has(run))) return runs;
    if (tries > 100) throw new Error(`the list of runs of ${id} stays incomplete`);
    await delay(100);
  }
}

async function historyOf(client: Client, id: string, runId: string, begins: Run['begins']): Promise<RunHistory> {
  const { events = [] } = await client.workflow.getHandle(id, runId).fetchHistory();
  return {
    workflow_id: id,
    run_id: runId,
    begins: continued(events?.[0]) ? 'continued' : begins,
    events: events ?? [],
  };
}

const continued = (first: HistoryEvent | undefined): string | undefined =>
  first?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId || undefined;

/** The children that the histories started, each followed over its Continue-As-New, and theirs. */
async function childrenOf(client: Client, parents: RunHistory[]): Promise<{ children: Story[]; more: RunHistory[] }> {
  const started = parents.flatMap(({ events }) =>
    factsOf(events).flatMap((fact) => (fact.is === 'child' ? [fact] : [])),
  );
  const read = await Promise.all(started.map((child) => childOf(client, child)));
  return { children: read.map(({ story }) => story), more: read.flatMap(({ histories }) => histories) };
}

async function childOf(client: Client, { workflow_id, run_id }: { workflow_id: string; run_id: string }) {
  const histories = [await historyOf(client, workflow_id, run_id, 'first')];
  for (let end = endingOf(histories[0]!.events.at(-1)); end?.next_run_id; ) {
    const next = await historyOf(client, workflow_id, end.next_run_id, 'continued');
    histories.push(next);
    end = endingOf(next.events.at(-1));
  }
  const { children, more } = await childrenOf(client, histories);
  const story: Story = {
    plan_id: workflow_id,
    runs: histories.map(asRun),
    children,
    events: await eventsOf(client, workflow_id, histories),
    needs: await needsOf(client, workflow_id),
    answers: [],
    faults: true,
  };
  return { story, histories: [...histories, ...more] };
}

/** A child that is a plan tells events; one that only does a part of its parent's work has no such query. */
async function eventsOf(client: Client, id: string, histories: RunHistory[]) {
  const pages = histories.map(({ run_id }) =>
    client.workflow
      .getHandle(id, run_id)
      .query<EventsPage | null, [object]>(QUERIES.events, { after_seq: 0, limit: 5_000 })
      .catch(() => null),
  );
  return (await Promise.all(pages)).flatMap((page) => page?.events ?? []);
}

async function needsOf(client: Client, id: string): Promise<Story['needs']> {
  const view = await client.workflow
    .getHandle(id)
    .query<PlanView | null>(QUERIES.status)
    .catch(() => null);
  return Object.fromEntries((view?.tasks ?? []).map(({ id, needs }) => [id, needs]));
}

function fingerprints(first: HistoryEvent | undefined): Record<string, string> | undefined {
  const data = first?.workflowExecutionStartedEventAttributes?.input?.payloads?.[0]?.data;
  try {
    const { definition } = JSON.parse(Buffer.from(data!).toString('utf8')) as PlanInput;
    return Object.fromEntries(unpack(definition).tasks.map(({ id, fingerprint }) => [id, fingerprint]));
  } catch {
    return undefined;
  }
}
