import { isTerminal } from '../plan/lifecycle.ts';
import type { Artifact } from '../service/artifacts.ts';
import type { ReadPlan } from '../service/read-plan.ts';
import { eventsUrl } from './events-url.ts';
import { outputsOf } from './outputs.ts';
import { type PlanStatusAnswer, statusOf } from './plan-status.ts';
import type { Answer, Call } from './tool.ts';
import { artifactLink, logLink } from './uris.ts';

/** More are counted, and found by REST. */
const MOST = 10;

/** How a plan stands, with what it has left to read: the log to read first, and its newest files and outputs. */
export async function statusAnswer(
  { service, caller, api }: Pick<Call, 'service' | 'caller' | 'api'>,
  view: ReadPlan,
): Promise<Answer<PlanStatusAnswer>> {
  const { plan_id, state } = view;
  const own = statusOf(view);
  const hasOutputs = view.tasks.some(({ outputs }) => outputs !== undefined);
  const artifacts = newestFirst(hasOutputs ? await service.artifacts(caller, plan_id) : [], view);
  const files = artifacts.flatMap((one) => (one.path === undefined ? [] : [{ ...one, path: one.path }]));
  const sse_url = isTerminal(state.status) ? undefined : eventsUrl(api, plan_id);
  const logOf = own.current_task ?? (isTerminal(state.status) ? own.current_step : null);
  return {
    body: {
      ...own,
      ...(isTerminal(state.status) || view.questions.length > 0 ? outputsOf(view.tasks) : {}),
      files_count: files.length,
      files: files.slice(0, MOST).map(({ path, task, bytes, sha256, updated_at }) => ({
        path,
        task,
        bytes,
        sha256,
        updated_at,
        uri: artifactLink(plan_id, { path, task, bytes, sha256, form: 'file' }).uri,
      })),
      ...(sse_url !== undefined && { sse_url }),
    },
    links: [
      ...(logOf === null ? [] : [logLink(plan_id, logOf)]),
      ...artifacts.slice(0, MOST).map((one) => artifactLink(plan_id, one)),
    ],
  };
}

type Dated = Artifact & { updated_at: string | null };

/** By when their tasks ended; of one task in the order in which it tells them. */
function newestFirst(artifacts: Artifact[], { tasks }: ReadPlan): Dated[] {
  const ended = new Map(tasks.map(({ id, ended_at }) => [id, ended_at ?? null]));
  const dated = artifacts.map((one) => ({ ...one, updated_at: ended.get(one.task) ?? null }));
  // Times in ISO 8601 sort as texts.
  return dated.sort((a, b) =>
    (a.updated_at ?? '') < (b.updated_at ?? '') ? 1 : a.updated_at === b.updated_at ? 0 : -1,
  );
}
