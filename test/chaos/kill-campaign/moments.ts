/** Seeded, so that a campaign that found something can be played again. */
export const SEED = Number(process.env.HOLDPOINT_CHAOS_SEED ?? 1);

/** One moment in each of `count` equal parts of a life, as parts of it; the last are just after its end. */
export function moments(count: number, seed = SEED): number[] {
  const random = randomFrom(seed);
  return Array.from({ length: count }, (_, i) => Math.round(((i + random()) / count) * 1_050) / 1_000);
}

/** Park and Miller's generator. */
function randomFrom(seed: number): () => number {
  let state = (seed * 48_271) % 2_147_483_647 || 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
