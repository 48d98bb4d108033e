import { type Caller, mustHave, type Permission } from './caller.ts';
import type { Answer } from './execute/answer.ts';
import { type CatalogListed, type CatalogRegistered, type CatalogTaught, catalogsOf } from './execute/catalogs.ts';
import { cancel } from './execute/continuation.ts';
import { type FollowOperation, followOperation, type OperationNews } from './execute/follow.ts';
import { findOperation } from './execute/handles.ts';
import type { Running } from './execute/operate.ts';
import {
  listOperations,
  type OperationDetails,
  type OperationList,
  type RowsAnswer,
  type RowsRequest,
  readOperation,
  readRows,
} from './execute/operations.ts';
import type { ExecuteParts, SessionName } from './execute/parts.ts';
import { keyOf, type RunProgramRequest, runProgram } from './execute/run.ts';
import { sessionsOf } from './execute/session.ts';
import { listSessions, type SessionListed } from './execute/session-list.ts';
import { readSnapshot, type Snapshot } from './execute/snapshot.ts';

/** Programs over catalogs, and what is run in the background of them (document 2). */
export interface ExecuteService {
  /** The same catalog again is the same. */
  registerCatalog(caller: Caller, text: string): Promise<CatalogRegistered>;
  catalogs(caller: Caller): Promise<CatalogListed[]>;
  catalog(caller: Caller, promptHash: string): Promise<CatalogTaught>;
  /** Runs a program, dry-runs it, or goes on with something that was run: what document 2 calls `plasm` and `plasm_run`. */
  run(caller: Caller, request: RunProgramRequest): Promise<Answer>;
  /** Those of the organisation that are in use, the last used first. */
  sessions(caller: Caller): Promise<SessionListed[]>;
  operations(
    caller: Caller,
    session: SessionName,
    page: { before?: number | string | undefined; limit?: number | undefined },
  ): Promise<OperationList>;
  operation(caller: Caller, session: SessionName, handle: string): Promise<OperationDetails>;
  /** What it has kept, also while it runs and when it was cancelled. */
  rows(caller: Caller, session: SessionName, handle: string, request: RowsRequest): Promise<RowsAnswer>;
  /** The same by the plan that runs it, in whatever session. */
  snapshot(caller: Caller, planId: string, request: RowsRequest): Promise<Snapshot>;
  cancel(caller: Caller, session: SessionName, handle: string): Promise<Answer>;
  /** Its lines as they come. That it is there and may be read is settled when this returns. */
  follow(
    caller: Caller,
    session: SessionName,
    handle: string,
  ): Promise<(request: Omit<FollowOperation, 'handle'>) => AsyncGenerator<OperationNews, void>>;
}

export function executeService(parts: ExecuteParts): ExecuteService {
  const running: Running = {
    parts,
    catalogs: catalogsOf(parts.client),
    sessions: sessionsOf(parts.client, parts.settings),
    told: new Map(),
  };
  const { catalogs, sessions } = running;

  /** The session, of a catalog that the organisation has. */
  async function readable(caller: Caller, session: SessionName, needed: Permission = 'plan:read') {
    mustHave(caller, needed);
    const key = keyOf(caller, session);
    await catalogs.read(key.org_id, key.prompt_hash);
    sessions.touch(key);
    return key;
  }

  return {
    registerCatalog: (caller, text) => catalogs.register(caller, text),
    catalogs: (caller) => catalogs.list(caller),
    catalog: (caller, promptHash) => catalogs.teaching(caller, promptHash),
    run: (caller, request) => runProgram(running, caller, request),
    sessions: async (caller) => listSessions(parts.client, caller, await catalogs.list(caller)),
    operations: async (caller, session, page) => listOperations(running, caller, await readable(caller, session), page),
    operation: async (caller, session, handle) =>
      readOperation(running, caller, await readable(caller, session), handle),
    rows: async (caller, session, handle, request) =>
      readRows(running, caller, await readable(caller, session), handle, request),
    snapshot: (caller, planId, request) => readSnapshot(parts, caller, planId, request),
    cancel: async (caller, session, handle) =>
      cancel(running, caller, await readable(caller, session, 'plan:approve'), handle),
    async follow(caller, session, handle) {
      const operation = await findOperation(sessions, await readable(caller, session), handle);
      return (request) => followOperation(parts, caller, operation, { handle, ...request });
    },
  };
}
