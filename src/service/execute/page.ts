import type { NodeWords } from '../../activities/program/node-words.ts';
import { workflowId } from '../../contract/names.ts';
import { unpack } from '../../contract/packed.ts';
import { Fault } from '../../faults.ts';
import { type Caller, mustHave } from '../caller.ts';
import { describePlan } from '../described.ts';
import { pagePlanId } from '../ids.ts';
import { inputOf } from '../run-input.ts';
import { type Answer, rowsAnswer } from './answer.ts';
import type { OperationFacts } from './facts.ts';
import { inForeground, type Running } from './operate.ts';
import type { Operation } from './operation.ts';
import { planOfProgram } from './plan-of-program.ts';
import { keptOf, type Result, resultOf } from './results.ts';
import type { SessionKey } from './session.ts';
import { type PagePlace, projected, shownOf } from './shown.ts';
import { columnsOf } from './table.ts';

/** The rows at a place: the same however often, and by however many at once, they are asked for. */
export async function pageAnswer(
  running: Running,
  caller: Caller,
  key: SessionKey,
  place: PagePlace,
  project: string[] | undefined,
): Promise<Answer> {
  const answer =
    place.kind === 'kept' ? await kept(running, caller, key, place) : await next(running, caller, key, place);
  return project ? narrowed(answer, project) : answer;
}

async function kept(
  { parts, sessions }: Running,
  caller: Caller,
  key: SessionKey,
  { plan_id, node, offset }: Extract<PagePlace, { kind: 'kept' }>,
): Promise<Answer> {
  const { facts, status } = await found(parts.client, key, plan_id);
  const of = facts.returns.find((one) => one.node === node) ?? { node, label: node };
  const results: Result[] =
    facts.returns.length === 0
      ? (await keptOf(parts, caller, plan_id, facts)).results
      : [await resultOf(parts.stores.rows, plan_id, of)];
  const shown = await shownOf(parts, sessions, key, { plan_id, results, offset, goesOn: status === 'completed' });
  return rowsAnswer(shown, { plan_id });
}

/** Reads them now, by a plan of its own whose id says what it reads: so they are read once. */
async function next(
  running: Running,
  caller: Caller,
  key: SessionKey,
  { plan_id, node }: Extract<PagePlace, { kind: 'next' }>,
): Promise<Answer> {
  mustHave(caller, 'plan:create');
  const { client, stores } = running.parts;
  const { facts, run_id } = await found(client, key, plan_id);
  const { next: at } = await stores.rows.standing(plan_id, node);
  if (!at) throw noLonger();
  const { definition } = await inputOf(client, workflowId(key.org_id, plan_id), run_id);
  const words = unpack(definition).tasks.find(({ id }) => id === node)?.with as unknown as NodeWords | undefined;
  const of = facts.returns.find((one) => one.node === node);
  if (!words || !of) throw noLonger();
  const dag = { version: 1 as const, nodes: [words.node], edges: [], topological_order: [node], returns: [node] };
  const name = unpack(definition).name;
  const operation: Operation = {
    plan_id: pagePlanId(key.org_id, plan_id, node),
    facts: { ...facts, total: 1, steps: [node], returns: [of] },
    program: name,
    what: { definition: planOfProgram({ dag, labels: { [node]: of.label } }, name, { from: { node, at } }) },
  };
  return await inForeground(running, caller, key, operation, {});
}

async function found(client: Running['parts']['client'], { org_id }: SessionKey, planId: string) {
  const described = await describePlan(client, workflowId(org_id, planId), planId).catch((error: unknown) => {
    if (error instanceof Fault && error.code === 'PLAN_NOT_FOUND') throw noLonger();
    throw error;
  });
  const facts: OperationFacts | undefined = described.facts.operation;
  if (!facts) throw noLonger();
  return { facts, status: described.status, run_id: described.run_id };
}

const noLonger = () =>
  new Fault('HANDLE_EXPIRED', 'the page has expired: what it follows is no longer kept; run the program again');

function narrowed(answer: Answer, fields: string[]): Answer {
  const rows = answer.rows ?? [];
  const known = columnsOf(rows);
  const unknown = fields.find((field) => rows.length > 0 && !known.includes(field));
  if (unknown !== undefined)
    throw new Fault(
      'PROGRAM_INVALID',
      `no row of the page has a field "${unknown}"; they have ${known.join(', ').slice(0, 500)}`,
    );
  const [result] = answer.meta.plasm.results ?? [];
  if (!result) return answer;
  const { results: _, ...meta } = answer.meta.plasm;
  return rowsAnswer([{ ...result, rows: projected(rows, fields) }], meta);
}
