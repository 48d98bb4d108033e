import { ApplicationFailure, Context } from '@temporalio/activity';
import { ASIDES, TASK_INVALID } from '../contract/names.ts';
import { PayloadTooLarge, payload } from '../contract/payload-size.ts';
import {
  type AsideResult,
  type CollectInput,
  type EvaluateInput,
  type ExpandInput,
  HEARTBEAT_INTERVAL_MS,
  type LoadInput,
  type StoreInput,
} from '../contract/payloads.ts';
import { ExpressionError, evaluate, expressionsIn, renderDeep } from '../plan/expression.ts';
import { nameOfInput } from '../plan/iteration.ts';
import type { Json } from '../plan/json.ts';
import type { Piece } from '../plan/state.ts';
import { ArtifactGone, type ArtifactStore } from './artifact-store.ts';
import { whole } from './cut-values.ts';
import { inputsIn } from './inputs-in.ts';
import type { RunningAttempts } from './running-attempts.ts';
import { loadScope, loadShallow, storeLarge } from './stored-values.ts';

/** A piece of a map's list: so many items, and so many bytes, that one batch can carry them. */
const PIECE_ITEMS = 400;
const PIECE_BYTES = 256 * 1_024;

interface AsideDependencies {
  store: ArtifactStore;
  running: RunningAttempts;
}

/** What the workflow has computed outside it, because it has only references to large values. They change nothing else. */
export function asideActivities(dependencies: AsideDependencies) {
  return {
    [ASIDES.evaluate]: aside(dependencies, async (input: EvaluateInput, store) => {
      const large = (value: Json) => storeLarge(value, input.inline_limit, store);
      const scope = await loadScope(input.scope, store);
      if (input.expression !== undefined)
        return await large(whole(evaluate(input.expression, scope), input.expression));
      for (const { text } of expressionsIn(input.words!)) whole(evaluate(text, scope), text);
      const words = renderDeep(input.words!, scope);
      return input.whole ? words : await largeEntries(words, large);
    }),

    [ASIDES.expand]: aside(dependencies, async (input: ExpandInput, store) => {
      const scope = await loadScope(input.scope, store);
      const list = whole(typeof input.list === 'string' ? evaluate(input.list, scope) : renderDeep(input.list, scope));
      const { iterate } = input;
      if (iterate) {
        const cut = { most: iterate.batch, named: nameOfInput };
        return (await pieces(inputsIn(list, iterate), input.inline_limit, store, cut)) as unknown as Json;
      }
      if (!Array.isArray(list))
        throw new ExpressionError(`\`in\` is ${JSON.stringify(list).slice(0, 100)}, not a list`);
      return (await pieces(list, input.inline_limit, store)) as unknown as Json;
    }),

    [ASIDES.collect]: aside(dependencies, async (input: CollectInput, store) => {
      const lists = await Promise.all(input.lists.map((list) => loadShallow(list, store)));
      return await store.putJson(lists.flat(), { refs: true });
    }),

    [ASIDES.store]: aside(
      dependencies,
      async (input: StoreInput, store) => await store.putJson(input.value, { refs: true }),
    ),

    [ASIDES.load]: aside(dependencies, ({ values }: LoadInput, store) =>
      Promise.all(values.map((value) => loadShallow(value, store))),
    ),
  };
}

/** Named values, as outputs and inputs are: each that is large goes to the artifact store by itself. */
async function largeEntries(value: Json, large: (value: Json) => Promise<Json>): Promise<Json> {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return await large(value);
  const entries: [string, Json][] = [];
  for (const [name, entry] of Object.entries(value)) entries.push([name, await large(entry)]);
  return Object.fromEntries(entries);
}

/** How many items are in a piece at most, and what of large ones is told to people. */
interface Cut {
  most?: number;
  named?: (value: Json) => string;
}

/** What stands in a large value's place, with what people are shown of it. */
function withHead(value: Json, head: () => string): Json {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  const { $stored } = value;
  if (typeof $stored !== 'object' || $stored === null || Array.isArray($stored)) return value;
  return { $stored: { ...$stored, head: head() } };
}

/** Cuts a list; large items, and lists of more than one piece, go to the artifact store. */
async function pieces(
  list: Json[],
  inlineLimit: number,
  store: ArtifactStore,
  { most = PIECE_ITEMS, named }: Cut = {},
): Promise<Piece[]> {
  const cut: Piece[] = [];
  let items: Json[] = [];
  let bytes = 0;
  const close = async (to: number) => {
    const small = to === list.length && cut.length === 0 && bytes <= inlineLimit;
    cut.push({ from: to - items.length, to, items: small ? items : await store.putJson(items, { refs: true }) });
    items = [];
    bytes = 0;
  };
  for (const [i, value] of list.entries()) {
    const stored = await storeLarge(value, inlineLimit, store);
    const item = named ? withHead(stored, () => named(value)) : stored;
    items.push(item);
    bytes += JSON.stringify(item).length;
    if (items.length >= most || bytes >= PIECE_BYTES) await close(i + 1);
  }
  if (items.length > 0) await close(list.length);
  return cut;
}

/** Heartbeats, and is on record while it runs, so that it is repeated at once when its worker dies. */
function aside<Input extends { plan_id: string }>(
  { running, store }: AsideDependencies,
  work: (input: Input, store: ArtifactStore) => Promise<Json>,
) {
  return async (input: Input): Promise<AsideResult> => {
    const context = Context.current();
    const { workflowId, runId } = context.info.workflowExecution!;
    const heartbeats = setInterval(() => context.heartbeat(), HEARTBEAT_INTERVAL_MS);
    const mine = await running.begin({ workflow_id: workflowId, run_id: runId, activity_id: context.info.activityId });
    try {
      return payload('what was computed', { value: await work(input, store.ofPlan(input.plan_id)) });
    } catch (error) {
      // Again would be no better; what else goes wrong, such as a full disk, may pass.
      if (![ExpressionError, PayloadTooLarge, ArtifactGone].some((kind) => error instanceof kind)) throw error;
      const { message } = error as Error;
      throw ApplicationFailure.create({ type: TASK_INVALID, message, nonRetryable: true });
    } finally {
      clearInterval(heartbeats);
      mine.end();
    }
  };
}
