import { type Client, WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import type { CatalogInput } from '../../contract/execute-payloads.ts';
import { CATALOG_WORKFLOW, catalogId, ENGINE_QUEUE } from '../../contract/names.ts';
import { pack, unpack } from '../../contract/packed.ts';
import { PayloadTooLarge, payload } from '../../contract/payload-size.ts';
import { SEARCH_ATTRIBUTES } from '../../contract/search-attributes.ts';
import { asFault, Fault } from '../../faults.ts';
import type { JsonObject } from '../../plan/json.ts';
import { type Catalog, readCatalog } from '../../program/catalog.ts';
import { promptHash } from '../../program/prompt-hash.ts';
import { teachingOf } from '../../program/teaching.ts';
import { type Caller, mustHave } from '../caller.ts';
import { searchable } from '../searchable.ts';
import { quoted } from '../visible-plans.ts';

export interface CatalogSummary {
  prompt_hash: string;
  name: string;
  entities: string[];
}
export interface CatalogRegistered extends CatalogSummary {
  /** False when the organisation had it already. */
  created: boolean;
}
export interface CatalogListed extends CatalogSummary {
  created_at: string;
}
export interface CatalogTaught extends CatalogSummary {
  /** What an agent has to know to write programs over it, as Markdown. */
  teaching: string;
}

export interface Catalogs {
  register(caller: Caller, text: string): Promise<CatalogRegistered>;
  list(caller: Caller): Promise<CatalogListed[]>;
  teaching(caller: Caller, hash: string): Promise<CatalogTaught>;
  /** Throws CATALOG_NOT_FOUND unless the organisation has it. */
  read(orgId: string, hash: string): Promise<Catalog>;
}

const MOST_KNOWN = 200;
/** An operator may end a catalog's workflow, and with that the catalog. */
const KNOWN_MS = 60_000;
const MOST_LISTED = 1_000;

/** A catalog is the argument of a workflow that never ends: there for as long as that is, and read without a worker. */
export function catalogsOf(client: Client): Catalogs {
  const known = new Map<string, { at: number; catalog: Promise<Catalog> }>();

  function read(orgId: string, hash: string): Promise<Catalog> {
    const id = catalogId(orgId, hash);
    const kept = known.get(id);
    if (kept && Date.now() - kept.at < KNOWN_MS) return kept.catalog;
    const catalog = load(client, id, hash);
    known.delete(id);
    known.set(id, { at: Date.now(), catalog });
    const [oldest] = known.keys();
    if (known.size > MOST_KNOWN) known.delete(oldest!);
    void catalog.catch(() => known.delete(id));
    return catalog;
  }

  return {
    read,
    async register(caller, text) {
      mustHave(caller, 'plan:create');
      const catalog = readCatalog(text);
      const prompt_hash = promptHash(catalog);
      const created = await start(client, caller, prompt_hash, catalog);
      return { ...summaryOf(prompt_hash, catalog), created };
    },
    async list(caller) {
      mustHave(caller, 'plan:read');
      return await listed(client, caller.principal.org_id);
    },
    async teaching(caller, hash) {
      mustHave(caller, 'plan:read');
      const catalog = await read(caller.principal.org_id, hash);
      return { ...summaryOf(hash, catalog), teaching: teachingOf(catalog, hash) };
    },
  };
}

const summaryOf = (prompt_hash: string, { name, entities }: Catalog): CatalogSummary => ({
  prompt_hash,
  name,
  entities: Object.keys(entities),
});

/** False when it is there already. */
async function start(client: Client, { principal }: Caller, hash: string, catalog: Catalog): Promise<boolean> {
  const { name, entities } = summaryOf(hash, catalog);
  const packed = pack(catalog as unknown as JsonObject);
  const input: CatalogInput = {
    schema_version: 1,
    org_id: principal.org_id,
    prompt_hash: hash,
    catalog: packed,
    principal,
  };
  try {
    await client.workflow.start(CATALOG_WORKFLOW, {
      workflowId: catalogId(principal.org_id, hash),
      taskQueue: ENGINE_QUEUE,
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      workflowIdConflictPolicy: 'FAIL',
      args: [payload('the catalog', input)],
      memo: { name, entities, created_at: Date.now() },
      searchAttributes: { [SEARCH_ATTRIBUTES.org.name]: [searchable(principal.org_id)] },
      workflowTaskTimeout: '5s',
      staticSummary: `catalog ${name}`.slice(0, 100),
    });
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    if (error instanceof PayloadTooLarge) throw new Fault('CATALOG_INVALID', error.message);
    throw new Fault('ENGINE_UNAVAILABLE', `Temporal did not take the catalog: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

async function load(client: Client, id: string, hash: string): Promise<Catalog> {
  const none = () =>
    new Fault(
      'CATALOG_NOT_FOUND',
      `there is no catalog ${hash.slice(0, 80)}; register it with POST /catalogs, which gives its prompt_hash`,
    );
  // Whatever else stands in the address would be the id of something else.
  if (!/^[0-9a-f]{8,64}$/.test(hash)) throw none();
  const handle = client.workflow.getHandle(id);
  const found = await handle.describe().catch((error: unknown) => {
    if (error instanceof WorkflowNotFoundError) throw none();
    throw asFault(error);
  });
  if (found.status.name !== 'RUNNING') throw none();
  const { history } = await client.workflowService.getWorkflowExecutionHistory({
    namespace: client.options.namespace,
    execution: { workflowId: id, runId: found.runId },
    maximumPageSize: 1,
  });
  const data = history?.events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads?.[0]?.data;
  if (!data) throw none();
  const input = JSON.parse(Buffer.from(data).toString('utf8')) as CatalogInput;
  return unpack(input.catalog) as unknown as Catalog;
}

async function listed(client: Client, orgId: string): Promise<CatalogListed[]> {
  const query =
    `WorkflowType = ${quoted(CATALOG_WORKFLOW)} AND ${SEARCH_ATTRIBUTES.org.name} = ${quoted(orgId)} ` +
    `AND ExecutionStatus = 'Running'`;
  const all: CatalogListed[] = [];
  for await (const { workflowId, memo } of client.workflow.list({ query })) {
    const prompt_hash = workflowId.slice(workflowId.lastIndexOf('/') + 1);
    if (workflowId !== catalogId(orgId, prompt_hash)) continue;
    const { name, entities, created_at } = memo as { name: string; entities: string[]; created_at: number };
    all.push({ prompt_hash, name, entities, created_at: new Date(created_at).toISOString() });
    if (all.length >= MOST_LISTED) break;
  }
  return all;
}
