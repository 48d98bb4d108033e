/** Seeded, so that a campaign that found something can be played again. */
export const SEED = Number(process.env.HOLDPOINT_CHAOS_SEED ?? 1);

/** When something dies: this part of a plan's tasks has begun, and so long ago. A plan under load has the same moments. */
export interface Moment {
  moment: number;
  part: number;
  later_ms: number;
}

/** One moment in each of `count` equal parts of a plan's life; a task takes about as long as the latest are later. */
export function moments(count: number, seed = SEED): Moment[] {
  const random = randomFrom(seed);
  return Array.from({ length: count }, (_, i) => ({
    moment: i + 1,
    part: Math.round((i / Math.max(1, count - 1)) * 1_000) / 1_000,
    later_ms: Math.round(random() * 200),
  }));
}

/** Park and Miller's generator. */
function randomFrom(seed: number): () => number {
  let state = (seed * 48_271) % 2_147_483_647 || 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
