import type { TaskDefinition } from './definition.ts';
import type { Json, JsonObject } from './json.ts';

type Unmarked = Omit<TaskDefinition, 'fingerprint'>;

/**
 * Marks every task with the hash of all that decides what it does: its own definition, its kind's version, the inputs it
 * uses, the plan's env, and the fingerprints of what it needs. Reordered keys and comments change nothing; how often and
 * how fast it is tried does not count. Tasks must come with indexes in `needs`, and without cycles.
 */
export function withFingerprints(
  tasks: Unmarked[],
  context: {
    sha256: (text: string) => string;
    kindVersion: (kind: string) => number;
    inputsOf: (task: Unmarked) => JsonObject;
    env: JsonObject;
  },
): TaskDefinition[] {
  const marks = new Array<string | undefined>(tasks.length);
  const mark = (start: number): void => {
    // Depth first without recursion: a chain may be ten thousand long.
    const stack = [start];
    while (stack.length > 0) {
      const i = stack.at(-1)!;
      const { id, kind, needs, env, if: condition, with: words } = tasks[i]!;
      const open = needs.filter((need) => marks[need] === undefined);
      if (marks[i] !== undefined || open.length > 0) {
        if (marks[i] !== undefined) stack.pop();
        else stack.push(...open);
        continue;
      }
      const upstream = needs.map((need) => marks[need]!).sort();
      const all = { id, kind, version: context.kindVersion(kind), words, condition, env: { ...context.env, ...env } };
      marks[i] = context
        .sha256(canonical({ ...all, inputs: context.inputsOf(tasks[i]!), upstream } as unknown as Json))
        .slice(0, 16);
      stack.pop();
    }
  };
  return tasks.map((task, i) => {
    mark(i);
    return { ...task, fingerprint: marks[i]! };
  });
}

/** JSON with the keys of every object in order and absent values left out: equal values, equal text. */
export function canonical(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return `{${entries
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`)
    .join()}}`;
}
