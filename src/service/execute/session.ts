import { setTimeout as delay } from 'node:timers/promises';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type {
  ExecuteAccept,
  ExecuteCommit,
  ExecuteFind,
  ExecuteFound,
  ExecuteGiven,
  ExecuteInput,
  ExecuteList,
  ExecuteListed,
  ExecutePages,
  ExecuteResult,
} from '../../contract/execute-payloads.ts';
import { ENGINE_QUEUE, EXECUTE_QUERIES, EXECUTE_SIGNALS, EXECUTE_WORKFLOW, executeId } from '../../contract/names.ts';
import { SEARCH_ATTRIBUTES } from '../../contract/search-attributes.ts';
import { asFault, Fault } from '../../faults.ts';
import {
  type Counters,
  type HandleKind,
  NO_HANDLES,
  PROGRAM_HEAD,
  type SessionOperation,
} from '../../plan/execute-session.ts';
import { ask, NO_ANSWER, NOT_FOUND, type Patience, REPLAY_PATIENCE } from '../queries.ts';
import { searchable } from '../searchable.ts';
import type { ExecutionSettings, SessionName } from './parts.ts';
import { together } from './together.ts';

type NewOperation = Omit<ExecuteAccept['operations'][number], 'at'>;
type NewPage = ExecutePages['pages'][number];

/** A session of an organisation, as the workflow that keeps it is found. */
export interface SessionKey extends SessionName {
  org_id: string;
}

export interface Sessions {
  /** Gives an operation its number; the same request has the same. The first use makes the session. */
  accept(key: SessionKey, operation: NewOperation): Promise<number>;
  /** Gives a dry run its token's number. */
  commit(key: SessionKey, commit: Omit<ExecuteCommit, 'schema_version' | 'ttl_ms' | 'at'>): Promise<number>;
  /** Gives the rows at places their numbers. */
  pages(key: SessionKey, pages: NewPage[]): Promise<number[]>;
  /** What is behind a number; undefined where there is no such session. */
  find(key: SessionKey, asked: ExecuteFind): Promise<ExecuteFound | undefined>;
  list(key: SessionKey, asked: ExecuteList): Promise<ExecuteListed | undefined>;
  /** It is in use, if it is there. */
  touch(key: SessionKey): void;
}

/** In one Signal at most. */
const MOST_AT_ONCE = 200;
/** A session that nobody has asked for a while is replayed first. */
const PATIENCE: Patience = { deadlineMs: 3_000, totalMs: 8_000 };
/** What it was told has to be found there, also when two hundred tell something at once. */
const PATIENCE_MS = 20_000;
const PAUSE_MS = 100;
/** How often it is told that it is in use: more often than makes a difference to when it ends. */
const TOUCHES = 20;
/** Things that are remembered, so that who asks again costs nothing. */
const MOST_KNOWN = 20_000;

/** Talks to the workflows of sessions. */
export function sessionsOf(client: Client, { sessionTtlMs, commitTtlMs }: ExecutionSettings): Sessions {
  const touched = new Map<string, number>();
  const known = remembered<number>(sessionTtlMs / 2);
  const operations = remembered<SessionOperation>(sessionTtlMs / 2);

  /** Told again, it counts once: whatever a session is told has a key. */
  async function tell<Told>(key: SessionKey, signal: string, told: Told): Promise<void> {
    for (const end = Date.now() + PATIENCE_MS; ; await delay(PAUSE_MS)) {
      try {
        return await tellOnce(key, signal, told);
      } catch (error) {
        const fault = asFault(error);
        if (fault.code !== 'ENGINE_UNAVAILABLE' || Date.now() + PAUSE_MS > end) throw fault;
      }
    }
  }

  async function tellOnce<Told>(key: SessionKey, signal: string, told: Told): Promise<void> {
    const id = idOf(key);
    touched.set(id, Date.now());
    try {
      return await client.workflow.getHandle(id).signal<[Told]>(signal, told);
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw asFault(error);
    }
    const { org_id, prompt_hash, surface, session: name } = key;
    const input: ExecuteInput = {
      schema_version: 1,
      ...{ org_id, prompt_hash, surface, name },
      ttl_ms: sessionTtlMs,
      counters: await countersOf(client, id),
    };
    await client.workflow
      .signalWithStart<(input: ExecuteInput) => Promise<ExecuteResult>, [Told]>(EXECUTE_WORKFLOW, {
        workflowId: id,
        taskQueue: ENGINE_QUEUE,
        args: [input],
        signal,
        signalArgs: [told],
        workflowTaskTimeout: '5s',
        searchAttributes: { [SEARCH_ATTRIBUTES.org.name]: [searchable(org_id)] },
        staticSummary: `session ${name}`.slice(0, 100),
      })
      .catch((error: unknown) => {
        throw new Fault('ENGINE_UNAVAILABLE', `Temporal did not take it: ${(error as Error).message}`, {
          cause: error,
        });
      });
  }

  async function asked<Answer, Request>(
    key: SessionKey,
    query: string,
    request: Request,
    patience = PATIENCE,
  ): Promise<Answer | undefined> {
    const answer = await ask<Answer>(client, { id: idOf(key) }, query, request, patience);
    if (answer === NO_ANSWER) throw new Fault('ENGINE_UNAVAILABLE', 'no worker answered for the session');
    return answer === NOT_FOUND ? undefined : answer;
  }

  async function numbers(key: SessionKey, what: HandleKind, keys: string[]): Promise<number[]> {
    // In one piece: who asks again is behind all others again.
    const patience = { deadlineMs: PATIENCE_MS / 2, totalMs: PATIENCE_MS };
    const request = { what, keys };
    const given = await asked<(number | null)[], ExecuteGiven>(key, EXECUTE_QUERIES.given, request, patience);
    const missing = keys.findIndex((_, i) => typeof given?.[i] !== 'number');
    if (missing !== -1) throw new Fault('ENGINE_UNAVAILABLE', 'the session has not taken it yet; ask again');
    return given as number[];
  }

  const accept = together<{ key: SessionKey; operation: ExecuteAccept['operations'][number] }, number>(
    MOST_AT_ONCE,
    async (_, all) => {
      const { key } = all[0]!;
      const accepted = all.map(({ operation }) => operation);
      const told: ExecuteAccept = { schema_version: 1, operations: accepted };
      await tell(key, EXECUTE_SIGNALS.accept, told);
      const requests = accepted.map(({ request_id }) => request_id);
      return await numbers(key, 'operations', requests);
    },
  );

  return {
    async accept(key, operation) {
      const at = Date.now();
      const n = await accept(idOf(key), { key, operation: { ...operation, at } });
      // A caller's own request id may have been used before, for something else.
      const isNew = operation.request_id === operation.plan_id;
      const program = operation.program.slice(0, PROGRAM_HEAD);
      if (isNew) operations.set(`${idOf(key)} ${n}`, { ...operation, program, n, at });
      return n;
    },
    async commit(key, commit) {
      const told: ExecuteCommit = { schema_version: 1, ttl_ms: commitTtlMs, at: Date.now(), ...commit };
      await tell(key, EXECUTE_SIGNALS.commit, told);
      return (await numbers(key, 'commits', [commit.commit_id]))[0]!;
    },
    async pages(key, pages) {
      const nameOf = (page: string) => `${idOf(key)} ${page}`;
      const found = pages.map(({ key: page }) => known.get(nameOf(page)));
      if (found.every((n) => n !== undefined)) return found;
      const told: ExecutePages = { schema_version: 1, pages };
      await tell(key, EXECUTE_SIGNALS.page, told);
      const keys = pages.map(({ key: page }) => page);
      const given = await numbers(key, 'pages', keys);
      for (const [i, n] of given.entries()) known.set(nameOf(keys[i]!), n);
      return given;
    },
    async find(key, request) {
      const name = `${idOf(key)} ${request.operation}`;
      const kept = operations.get(name);
      // What was accepted does not change: whoever waits for it costs the worker nothing.
      if (kept) return { ended: false, operation: { is: 'kept', what: kept } };
      const found = await asked<ExecuteFound, ExecuteFind>(key, EXECUTE_QUERIES.find, request);
      if (found?.operation?.is === 'kept' && !found.ended) operations.set(name, found.operation.what);
      return found;
    },
    list: (key, request) => asked<ExecuteListed, ExecuteList>(key, EXECUTE_QUERIES.list, request),
    touch(key) {
      const id = idOf(key);
      const now = Date.now();
      if (now - (touched.get(id) ?? 0) < sessionTtlMs / TOUCHES) return;
      if (touched.size > MOST_KNOWN) touched.clear();
      touched.set(id, now);
      // Where there is none, nothing has to last.
      void client.workflow
        .getHandle(id)
        .signal(EXECUTE_SIGNALS.touch)
        .catch(() => {});
    },
  };
}

/** What is known of a session that is in use: for so long after that it cannot have ended. */
function remembered<T>(forMs: number) {
  const all = new Map<string, { what: T; at: number }>();
  return {
    get(name: string): T | undefined {
      const found = all.get(name);
      return found && Date.now() - found.at < forMs ? found.what : undefined;
    },
    set(name: string, what: T) {
      if (all.size > MOST_KNOWN) all.clear();
      all.set(name, { what, at: Date.now() });
    },
  };
}

const idOf = ({ org_id, prompt_hash, surface, session }: SessionKey): string =>
  executeId(org_id, prompt_hash, surface, session);

/** What a session that has ended had given, however it ended: no handle is given twice. */
async function countersOf(client: Client, id: string): Promise<Counters> {
  const handle = client.workflow.getHandle(id);
  const found = await handle.describe().catch((error: unknown) => {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw asFault(error);
  });
  if (!found || found.status.name === 'RUNNING') return NO_HANDLES;
  if (found.status.name === 'COMPLETED') {
    const left = (await client.workflow.getHandle(id, found.runId).result()) as ExecuteResult;
    return left.counters;
  }
  const run = { id, run: found.runId };
  const left = await ask<ExecuteListed>(client, run, EXECUTE_QUERIES.list, { limit: 0 }, REPLAY_PATIENCE);
  if (left === NO_ANSWER || left === NOT_FOUND)
    throw new Fault('ENGINE_UNAVAILABLE', 'no worker answered for what the session had given');
  return left.counters;
}
