import type { Json } from '../plan/json.ts';
import type { TaskView } from '../plan/view.ts';

/** In all, as JSON: a model reads every one of them. */
export const MOST_OUTPUT_BYTES = 8 * 1_024;

/** What tasks gave, by task: of those that ended last, as much as there is room for. What is large is a reference to an artifact. */
export function outputsOf(tasks: TaskView[]): { outputs: Record<string, Json>; outputs_left_out: number } {
  const outputs: [string, Json][] = [];
  let room = MOST_OUTPUT_BYTES;
  const given = tasks.filter(({ status, outputs }) => status === 'succeeded' && Object.keys(outputs ?? {}).length > 0);
  // Times in ISO 8601 sort as texts.
  given.sort((a, b) => ((a.ended_at ?? '') < (b.ended_at ?? '') ? 1 : -1));
  for (const { id, outputs: value } of given) {
    room -= Buffer.byteLength(JSON.stringify({ [id]: value }));
    if (room < 0) break;
    outputs.push([id, value as Json]);
  }
  return { outputs: Object.fromEntries(outputs), outputs_left_out: given.length - outputs.length };
}
