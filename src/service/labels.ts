import { Fault } from '../faults.ts';
import { labelWord } from './start-workflow.ts';

const MOST_LABELS = 32;
const LONGEST_LABEL = 200;

/** A plan file's labels; lists are filtered by them, so that they have to be few and short. Throws PLAN_INVALID. */
export function labelsOf({ labels }: { labels: Record<string, string> }): Record<string, string> {
  const problem = (message: string, path: string[]) => {
    throw new Fault('PLAN_INVALID', `${path.join('.')}: ${message}`, { errors: [{ message, path }] });
  };
  const entries = Object.entries(labels);
  if (entries.length > MOST_LABELS) problem(`has ${entries.length}; at most ${MOST_LABELS} can be kept`, ['labels']);
  for (const [key, value] of entries) {
    const path = ['labels', key];
    if (labelWord([key, value]).length > LONGEST_LABEL)
      problem(`is longer than ${LONGEST_LABEL} characters, its name included`, path);
    if (key === '' || key.includes('=') || /\p{Cc}/u.test(key + value))
      problem('a label has a name without "=", and no control characters', path);
  }
  return labels;
}
