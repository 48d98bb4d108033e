export interface TimedSignal {
  signal: AbortSignal;
  /** Nothing waits for it any more. */
  clear(): void;
}

/**
 * A signal that aborts after so many ms; never, where there are none. For what is joined to others by `AbortSignal.any`, which
 * does not keep a signal of `AbortSignal.timeout` from being garbage collected: then it never aborts (nodejs/node#57736).
 */
export function timedSignal(ms: number | undefined): TimedSignal {
  const controller = new AbortController();
  if (ms === undefined) return { signal: controller.signal, clear() {} };
  const timer = setTimeout(() => controller.abort(), ms);
  return { signal: controller.signal, clear: () => clearTimeout(timer) };
}
