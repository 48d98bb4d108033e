import { v4 } from 'uuid';
import type { Problem as ProblemDocument } from './types.ts';

/** The API's address: what the page's own `<base>`, which ends in `/console/`, is in. */
const root = () => new URL('../', document.baseURI);

/** An address of the API, such as `api/plans`, with a query of what is given. */
export function addressOf(path: string, query: Record<string, Given> = {}): string {
  const url = new URL(path, root());
  for (const [name, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== '') url.searchParams.append(name, String(one));
  return url.href;
}
type Given = string | number | boolean | undefined | string[];

/** What may be missing in an answer that is somebody else's, such as a proxy's. */
type ProblemAnswer = Partial<Omit<ProblemDocument, 'code'>> & { code: string };

/** Why something was not answered: the API's problem, or that the API cannot be reached at all. */
export class Problem extends Error {
  readonly code: string;
  /** 0: nothing was answered. */
  readonly status: number;
  readonly document: ProblemAnswer;
  constructor(status: number, document: ProblemAnswer) {
    super(document.detail ?? document.title ?? document.code);
    this.code = document.code;
    this.status = status;
    this.document = document;
  }
}

export interface Ask {
  query?: Record<string, Given>;
  /** Sent as JSON; a text with `type` as it is. */
  body?: unknown;
  type?: string;
  accept?: string;
  /** The same call with the same key is done once. */
  idempotencyKey?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** One call of the API; throws `Problem`. */
export async function answer(method: string, path: string, ask: Ask = {}): Promise<Response> {
  const { query, body, type, accept, idempotencyKey, signal } = ask;
  const headers = new Headers({ Accept: accept ?? 'application/json' });
  if (idempotencyKey !== undefined) headers.set('Idempotency-Key', idempotencyKey);
  if (body !== undefined) headers.set('Content-Type', type ?? 'application/json');
  const init: RequestInit = { method, headers, credentials: 'same-origin', cache: 'no-store', signal: signal ?? null };
  if (body !== undefined) init.body = type === undefined ? JSON.stringify(body) : (body as string);
  const response = await fetch(addressOf(path, query), init).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new Problem(0, {
      code: 'UNREACHABLE',
      detail: 'Holdpoint does not answer. It may be starting, or the network is down.',
    });
  });
  if (response.ok) return response;
  throw new Problem(response.status, await problemIn(response));
}

/** The same, of which the answer's JSON is wanted. */
export async function call<T>(method: string, path: string, ask: Ask = {}): Promise<T> {
  const response = await answer(method, path, ask);
  if (response.status === 204) return undefined as T;
  return (await response.json()) as T;
}

async function problemIn(response: Response): Promise<ProblemAnswer> {
  try {
    const document = (await response.json()) as Partial<ProblemAnswer>;
    return { code: 'UNKNOWN', ...document };
  } catch {
    // Of a proxy in between.
    return {
      code: 'UNREACHABLE',
      detail: `Holdpoint does not answer: ${response.status} ${response.statusText}`.trim(),
    };
  }
}

/** Ids of commands, so that one that is sent again does nothing more. */
export const requestId = (): string => v4();

export const planPath = (planId: string, rest = ''): string => `api/plans/${encodeURIComponent(planId)}${rest}`;
export const taskPath = (planId: string, task: string, rest: string): string =>
  planPath(planId, `/tasks/${encodeURIComponent(task)}${rest}`);
