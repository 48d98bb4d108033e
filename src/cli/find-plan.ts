import { validate } from 'uuid';
import { Fault } from '../faults.ts';
import type { PlanSummary } from '../service/list-plans.ts';
import type { Engine } from './with-engine.ts';

const SHORTEST = 6;
/** Pages of the list that are looked through for a prefix, newest plans first. */
const PAGES = 10;
const PAGE = 500;

/** The plan that `given` means: an id, the beginning of one that no other has, or a session's id. Throws PLAN_NOT_FOUND, and USAGE when many do. */
export async function findPlan(engine: Engine, given: string): Promise<string> {
  const id = given.toLowerCase();
  if (validate(id)) return id;
  const session = SESSION.test(id) && (await engine.service.session(engine.caller, given).catch(unlessUnknown));
  if (session) return session.plan_id;
  if (!/^[0-9a-f-]+$/.test(id))
    throw new Fault(
      'PLAN_NOT_FOUND',
      `there is no plan "${given}"; a plan is meant by its id, the beginning of that, or the id of its session`,
    );
  if (id.length < SHORTEST)
    throw new Fault(
      'PLAN_NOT_FOUND',
      `"${given}" is too short to mean a plan; give ${SHORTEST} or more characters of its id`,
    );
  const found = await withPrefix(engine, id);
  if (found.length > 1) {
    const named = found.map(({ plan_id, name }) => `${plan_id} (${name})`).join(', ');
    throw new Fault('USAGE', `"${given}" means more than one plan: ${named}`);
  }
  if (!found[0]) throw new Fault('PLAN_NOT_FOUND', `there is no plan whose id begins with "${given}"`);
  return found[0].plan_id;
}

/** As the command line names the sessions that it starts. */
const SESSION = /^\d{4}-\d\d-\d\d-\d{4}-/;

function unlessUnknown(error: unknown): undefined {
  if (!(error instanceof Fault) || error.code !== 'PLAN_NOT_FOUND') throw error;
}

async function withPrefix({ service, caller }: Engine, prefix: string): Promise<PlanSummary[]> {
  const found: PlanSummary[] = [];
  let cursor: string | null | undefined;
  for (let page = 0; page < PAGES && cursor !== null; page++) {
    const list = await service.list(caller, { limit: PAGE, ...(cursor && { cursor }) });
    found.push(...list.plans.filter(({ plan_id }) => plan_id.startsWith(prefix)));
    cursor = list.next_cursor;
  }
  return found;
}
