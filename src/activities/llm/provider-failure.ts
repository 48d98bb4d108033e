import { TaskFailure } from '../kind.ts';

/** What a call's failure means: ask again after so long, or the end of the attempt. */
export type ProviderFailure = { again_in_ms: number } | { failure: TaskFailure };

/** Longer than this is no pause between questions but a limit of the provider. */
export const LONGEST_WAIT_MS = 60_000;

/** What a failed call of the client tells; read by its fields, for nothing here is to load the client. */
interface Told {
  status?: unknown;
  code?: unknown;
  type?: unknown;
  headers?: unknown;
  message?: unknown;
  cause?: unknown;
}

export function providerFailure(error: unknown, now: number): ProviderFailure {
  if (error instanceof TaskFailure) return { failure: error };
  const told = (error ?? {}) as Told;
  const status = typeof told.status === 'number' ? told.status : undefined;
  const code = [told.code, told.type].find((word): word is string => typeof word === 'string');
  const message = `the model's server: ${messageOf(told)}`;
  const wait = isHeaders(told.headers) ? waitOf(told.headers, now) : undefined;
  const isQuota = status === 402 || told.code === 'insufficient_quota' || told.type === 'insufficient_quota';
  if (isQuota || (status === 429 && wait !== undefined && wait > LONGEST_WAIT_MS))
    return { failure: limitReached(message, wait === undefined ? undefined : now + wait) };
  if ((status === 429 || status === 503) && wait !== undefined && wait <= LONGEST_WAIT_MS) return { again_in_ms: wait };
  return {
    failure: new TaskFailure(message, {
      final: status !== undefined && !mayPass(status) && 'hopeless',
      details: {
        ...(status !== undefined && { status }),
        ...(status === 401 ? { code: 'auth_failure' } : status === 403 ? { code: 'forbidden' } : code && { code }),
      },
    }),
  };
}

const mayPass = (status: number): boolean => [408, 409, 425, 429].includes(status) || status >= 500;

const limitReached = (message: string, at: number | undefined): TaskFailure =>
  new TaskFailure(message, {
    final: 'limit',
    details: { limit: 'provider', message, ...(at !== undefined && { resets_at: new Date(at).toISOString() }) },
  });

/** What it says, and what was beneath it: the client's own words for a lost connection say nothing. */
function messageOf({ message, cause }: Told): string {
  const text = typeof message === 'string' && message ? message : 'it failed';
  const beneath: string[] = [];
  for (let at = cause; at instanceof Error && beneath.length < 4; at = at.cause) {
    const { code } = at as NodeJS.ErrnoException;
    beneath.push(at.message || code || '');
  }
  const deepest = beneath.filter(Boolean).at(-1);
  return (deepest && !text.includes(deepest) ? `${text} (${deepest})` : text).slice(0, 2_000);
}

interface HeadersRead {
  get(name: string): string | null;
}
const isHeaders = (given: unknown): given is HeadersRead =>
  typeof (given as HeadersRead | undefined)?.get === 'function';

/** How long it asks to wait: `Retry-After`, or what is used up of a limit comes back. */
function waitOf(headers: HeadersRead, now: number): number | undefined {
  const exact = Number(headers.get('retry-after-ms') ?? Number.NaN);
  if (exact >= 0) return exact;
  const after = headers.get('retry-after')?.trim();
  if (after) {
    const ms = /^\d+(\.\d+)?$/.test(after) ? Number(after) * 1_000 : Date.parse(after) - now;
    if (Number.isFinite(ms)) return Math.max(0, ms);
  }
  const resets = ['requests', 'tokens'].flatMap((what) =>
    headers.get(`x-ratelimit-remaining-${what}`)?.trim() === '0'
      ? (spanOf(headers.get(`x-ratelimit-reset-${what}`) ?? '') ?? [])
      : [],
  );
  return resets.length > 0 ? Math.max(...resets) : undefined;
}

const UNITS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Such as `6m0s`, `1h12m`, `20ms`. */
function spanOf(text: string): number | undefined {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text.trim()) return undefined;
  return parts.reduce((ms, [, n, unit]) => ms + Number(n) * UNITS[unit!]!, 0);
}
