import type { Client } from '@temporalio/client';
import type { ExecuteList, ExecuteListed } from '../../contract/execute-payloads.ts';
import { EXECUTE_QUERIES, EXECUTE_WORKFLOW } from '../../contract/names.ts';
import { SEARCH_ATTRIBUTES } from '../../contract/search-attributes.ts';
import { asFault } from '../../faults.ts';
import { SURFACES, type Surface } from '../../plan/execute-session.ts';
import { type Caller, mustHave } from '../caller.ts';
import { ask, NO_ANSWER, NOT_FOUND } from '../queries.ts';
import { quoted } from '../visible-plans.ts';

/** A session that is in use, or was not long ago. */
export interface SessionListed {
  prompt_hash: string;
  /** The name of its catalog; null where that is not there any more. */
  catalog: string | null;
  session: string;
  surface: Surface;
  /** How many operations it has accepted, over all that it has been; null while no worker answers for it. */
  operations: number | null;
  last_used_at: string | null;
}

const MOST_LISTED = 200;
/** Each is asked: so many at once, so that a list is no burden. */
const AT_ONCE = 10;
/** Only how many there were is asked for. */
const NONE_OF_THEM: ExecuteList = { before: 1, limit: 1 };

type Place = Pick<SessionListed, 'prompt_hash' | 'session' | 'surface'> & { id: string };

/** The sessions of an organisation, the last used first. */
export async function listSessions(
  client: Client,
  caller: Caller,
  catalogs: { prompt_hash: string; name: string }[],
): Promise<SessionListed[]> {
  mustHave(caller, 'plan:read');
  const names = new Map(catalogs.map(({ prompt_hash, name }) => [prompt_hash, name]));
  const left = (await visibleSessions(client, caller.principal.org_id)).reverse();
  const all: SessionListed[] = [];
  const answer = async () => {
    for (let place = left.pop(); place; place = left.pop()) {
      const { id, ...session } = place;
      const told = await ask<ExecuteListed>(client, { id }, EXECUTE_QUERIES.list, NONE_OF_THEM);
      // It ended a moment ago.
      if (told === NOT_FOUND || (told !== NO_ANSWER && told.ended)) continue;
      const { counters, used_at } = told === NO_ANSWER ? {} : told;
      all.push({
        ...session,
        catalog: names.get(session.prompt_hash) ?? null,
        operations: counters?.operations ?? null,
        last_used_at: used_at === undefined ? null : new Date(used_at).toISOString(),
      });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, answer));
  return all.sort((a, b) => (b.last_used_at ?? '').localeCompare(a.last_used_at ?? ''));
}

/** Those that began last. */
async function visibleSessions(client: Client, orgId: string): Promise<Place[]> {
  const query =
    `WorkflowType = ${quoted(EXECUTE_WORKFLOW)} AND ${SEARCH_ATTRIBUTES.org.name} = ${quoted(orgId)} ` +
    `AND ExecutionStatus = 'Running'`;
  const places: Place[] = [];
  try {
    for await (const { workflowId } of client.workflow.list({ query })) {
      const place = placeOf(workflowId, orgId);
      if (place) places.push(place);
      if (places.length >= MOST_LISTED) break;
    }
  } catch (error) {
    throw asFault(error);
  }
  return places;
}

/** What `executeId` was made of. Some databases compare without regard to case: an organisation is what it is. */
function placeOf(id: string, orgId: string): Place | undefined {
  const start = `execute/${orgId}/`;
  if (!id.startsWith(start)) return undefined;
  const [prompt_hash = '', surface = '', ...name] = id.slice(start.length).split('/');
  if (!(surface in SURFACES)) return undefined;
  return { id, prompt_hash, surface: surface as Surface, session: name.join('/') };
}
