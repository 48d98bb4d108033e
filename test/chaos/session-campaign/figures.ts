import type { InterruptionName } from './interrupt.ts';

/** What came of a campaign's interruptions. */
export function newFigures() {
  const counts = {
    interrupted: 0,
    'went on by themselves': 0,
    resumed: 0,
    'over before that': 0,
    lost: 0,
    completed: 0,
    identical: 0,
    'finished steps run twice': 0,
    'steps in flight run again': 0,
  };
  const endMs: Partial<Record<InterruptionName, number[]>> = {};
  return {
    count(what: keyof typeof counts, n = 1): void {
      counts[what] += n;
    },
    /** From the interruption to the end of the session, in ms. */
    ended(name: InterruptionName, ms: number): void {
      endMs[name] = [...(endMs[name] ?? []), ms];
    },
    summary(seed: number): string {
      const told = Object.entries(counts).map(([what, n]) => `${what}: ${n}`);
      const times = Object.entries(endMs).map(([what, ms]) => `${what}, from there to the end: ${spread(ms)}`);
      return [`seed ${seed}; ${told.join(', ')}`, ...times].join('\n');
    },
  };
}

function spread(times: number[]): string {
  const all = times.toSorted((a, b) => a - b);
  return `median ${all[Math.floor(all.length / 2)]} ms, longest ${all.at(-1)} ms (n=${all.length})`;
}
