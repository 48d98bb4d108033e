import { setTimeout as delay } from 'node:timers/promises';
import { asFault, FAULTS } from '../faults.ts';
import type { Answer } from '../service/execute/answer.ts';
import type { SessionName } from '../service/execute/parts.ts';
import type { Access } from './access.ts';
import type { Call } from './tool.ts';

/** A line of an operation as it is pushed (document 2): these keys and no other. */
export interface OpNotice {
  line: string;
  n: number;
  /** The token it was accepted by; only with that line. */
  c?: string;
}
export const OP_NOTIFICATION = 'notifications/plasm/op';
export type Push = (notice: OpNotice) => Promise<void>;

/** Follows operations for as long as a connection lasts. */
export interface OperationPushes {
  /** Pushes what comes after that line, until the operation ends. */
  follow(session: SessionName, handle: string, after: number, push: Push): void;
}

/** Of a client that has more at work, the others are not pushed; they can be asked for all the same. */
const MOST = 100;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;
/** In a row: about an hour. */
const MOST_FAILURES = 400;

/** Undefined where no connection outlasts a call. */
export function operationPushes({ use, connection }: Access): OperationPushes | undefined {
  if (!connection) return undefined;
  const followed = new Set<string>();

  async function go(session: SessionName, handle: string, after: number, push: Push): Promise<void> {
    let seen = after;
    for (let failures = 0; failures < MOST_FAILURES && !connection!.aborted; ) {
      try {
        const ended = await use(
          async (service, caller) => {
            const lines = await service.execute.follow(caller, session, handle);
            for await (const { event, line, n } of lines({ after: seen, signal: connection! })) {
              await push({ line, n });
              seen = n;
              failures = 0;
              if (event === 'terminal') return true;
            }
            return false;
          },
          { unasked: true },
        );
        if (ended) return;
      } catch (error) {
        // An engine may come back; whatever else it is, the client can ask for the operation itself.
        if (!FAULTS[asFault(error).code].retryable) return;
      }
      failures += 1;
      const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures, 10));
      await delay(pause, undefined, { signal: connection!, ref: false }).catch(() => {});
    }
  }

  return {
    follow(session, handle, after, push) {
      const key = JSON.stringify([session.prompt_hash, session.session, handle]);
      if (followed.has(key) || followed.size >= MOST) return;
      followed.add(key);
      void go(session, handle, after, push).finally(() => followed.delete(key));
    },
  };
}

/**
 * Pushes the line of an answer that is of an operation, and goes on with those that follow where the connection lasts. Where it
 * does not, each call pushes what it was told; who wants all as it comes follows the operation.
 */
export async function pushAnswer({ push, pushes }: Call, session: SessionName, { markdown, meta }: Answer) {
  const { op, continuity } = meta.plasm;
  if (!op || !continuity) return;
  const { h, p } = continuity;
  const isAccept = op['+'] === 1;
  const line = lineIn(markdown, h);
  if (line !== undefined && (isAccept || (!pushes && op['='] !== 1)))
    await push({ line, n: op.n, ...(isAccept && op.c !== undefined && { c: op.c }) });
  if (p === 'running') pushes?.follow(session, h, op.n, push);
}

/** An answer of an operation has its line on a line of its own. */
const lineIn = (markdown: string, handle: string): string | undefined =>
  markdown.split('\n').find((line) => line.startsWith(`\`${handle}\` `));
