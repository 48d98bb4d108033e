import type { MapWords, PlanDefinition } from '../../plan/definition.ts';
import type { JsonObject } from '../../plan/json.ts';
import { parseTime } from '../../plan/time.ts';
import type { Foreseen } from './foresee.ts';

/** What is allowed, and probably not meant. */
export function warningsOf({ tasks }: PlanDefinition, all: Foreseen[], inputs: JsonObject, now: number): string[] {
  const read = new Set(tasks.flatMap((task) => task.inputs));
  const own = all.filter(({ path, task }) => path === '' && !task.handler);
  return [
    ...Object.keys(inputs)
      .filter((name) => !read.has(name))
      .map((name) => `no task reads the input "${name}"`),
    ...all.flatMap(({ id, wrong }) => (wrong === undefined ? [] : [`${id} would fail: its condition: ${wrong}`])),
    ...all.flatMap((one) =>
      isPast(one, now) ? [`${one.id} waits until ${String(one.task.with)}, which has passed`] : [],
    ),
    ...all.flatMap((one) => (one.each?.items === 0 && one.skipped === undefined ? [nothingToDo(one)] : [])),
    ...(own.every(({ skipped }) => skipped !== undefined) ? ['every task would be skipped'] : []),
  ];
}

function nothingToDo({ id, task }: Foreseen): string {
  const { iterate } = task.with as unknown as MapWords;
  return iterate ? `${id} would fail: no inputs found: ${iterate.none}` : `${id} has nothing to do: its list is empty`;
}

function isPast({ task, skipped }: Foreseen, now: number): boolean {
  if (task.mode !== 'clock' || skipped !== undefined) return false;
  const time = parseTime(String(task.with));
  return time !== undefined && time <= now;
}
