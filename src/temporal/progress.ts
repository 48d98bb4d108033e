/** What a starter is busy with; a surface shows `detail` when the wait is worth a word. */
export interface Progress {
  phase: 'waiting' | 'downloading' | 'building' | 'starting';
  detail: string;
  /** Since this phase began. */
  elapsedMs: number;
}

export type OnProgress = (progress: Progress) => void;

/** Reports one phase: each call of the result adds the time that has passed since. */
export function progressOf(phase: Progress['phase'], onProgress: OnProgress): (detail: string) => void {
  const began = performance.now();
  return (detail) => onProgress({ phase, detail, elapsedMs: Math.round(performance.now() - began) });
}
