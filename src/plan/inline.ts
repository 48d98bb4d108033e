import type { Outputs } from './definition.ts';
import type { Json, JsonObject } from './json.ts';
import type { Plan } from './plan.ts';

/** Outputs up to this many bytes of JSON travel themselves, while those of the plan together stay below the budget. */
export const INLINE_LIMIT = 4_096;
export const INLINE_BUDGET = 256 * 1_024;
/** Past the budget, only what is hardly longer than its reference. */
const INLINE_LEAST = 32;

export const inlineLimit = (inlineBytes: number): number => (inlineBytes < INLINE_BUDGET ? INLINE_LIMIT : INLINE_LEAST);

/** Outputs as the plan keeps them: past the budget, references without the characters that only people read. */
export function kept(outputs: Outputs, inlineBytes: number): Outputs {
  if (inlineBytes < INLINE_BUDGET) return outputs;
  return Object.fromEntries(Object.entries(outputs).map(([name, value]) => [name, withoutEnds(value)]));
}

function withoutEnds(value: Json): Json {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  const { $stored } = value;
  if (typeof $stored !== 'object' || $stored === null || Array.isArray($stored)) return value;
  const { head: _, tail: __, ...rest } = $stored;
  return { $stored: rest };
}

/** More outputs than this are not carried into the next history: they are stored together, and each becomes a reference. */
const CARRIED_BYTES = 128 * 1_024;

/** Outputs that a plan would carry, by task, when they are many. */
export function outputsToStore({ definition, state }: Plan): JsonObject | undefined {
  const loose: JsonObject = {};
  let bytes = 0;
  state.tasks.forEach(({ outputs }, i) => {
    if (!outputs || '$stored' in outputs) return;
    loose[definition.tasks[i]!.id] = outputs;
    bytes += JSON.stringify(outputs).length;
  });
  return bytes > CARRIED_BYTES ? loose : undefined;
}

/** They have been stored as this: each is now an entry of it, and there is room for others. */
export function outputsStored({ state, index }: Plan, loose: JsonObject, { $stored }: { $stored: JsonObject }): void {
  for (const id of Object.keys(loose)) state.tasks[index.byId.get(id)!]!.outputs = { $stored: { ...$stored, at: id } };
  state.inline_bytes = 0;
}
