import { replaceEqualDeep } from '@tanstack/react-query';
import { isTerminal } from '../../plan/lifecycle.ts';
import type { Plan } from '../api/types.ts';

/**
 * Never back: an answer that was on its way while an event came is older than what is shown. What is the same stays the same
 * object, so that only what has changed is drawn again.
 */
export function newest(old: Plan | undefined, read: Plan): Plan {
  if (!old) return read;
  const isOlder = read.seq < old.seq && read.run <= old.run && !isTerminal(read.state.status);
  return replaceEqualDeep(old, isOlder ? { ...old, freshness: read.freshness } : withTasks(old, read));
}

/** While no worker answers little is known of a plan, and nothing of its tasks: those that were seen are shown on. */
function withTasks(old: Plan, read: Plan): Plan {
  if (read.freshness.live || read.tasks.length > 0 || read.run > old.run) return read;
  const { tasks, tasks_total, progress, progress_percentage, position } = old;
  return { ...read, tasks, tasks_total, progress, progress_percentage, position };
}
