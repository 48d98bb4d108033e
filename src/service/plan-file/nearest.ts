import { distance } from 'fastest-levenshtein';

/** Comparing every unknown name with ten thousand known ones would take minutes: past this many, nothing is suggested. */
const COMPARISONS = 500_000;
const LONGEST = 64;

/** What people write by the habits of other tools. */
const HABITS: Record<string, string> = {
  jobs: 'tasks',
  depends_on: 'needs',
  'depends-on': 'needs',
  after: 'needs',
  command: 'run',
  script: 'run',
  when: 'if',
  params: 'inputs',
  parameters: 'inputs',
  environment: 'env',
  'timeout-minutes': 'timeout',
  retries: 'retry',
  'continue-on-error': 'on_failure',
};

export type Nearest = (word: string, known: readonly string[]) => string | undefined;

/** Finds which known name was probably meant; good for one plan file. */
export function nearestNames(): Nearest {
  let left = COMPARISONS;
  return (word, known) => {
    const habit = Object.hasOwn(HABITS, word) ? HABITS[word]! : undefined;
    if (habit !== undefined && known.includes(habit)) return habit;
    left -= known.length;
    if (word.length > LONGEST || left < 0) return undefined;
    let best: string | undefined;
    let least = slips(word) + 1;
    for (const name of known) {
      if (Math.abs(name.length - word.length) > least) continue;
      const steps = slipsBetween(name.toLowerCase(), word.toLowerCase());
      if (steps < least) [best, least] = [name, steps];
    }
    return best;
  };
}

/** Two letters in the wrong order are one slip, though two changes. */
function slipsBetween(a: string, b: string): number {
  const changes = distance(a, b);
  return changes === 2 && sorted(a) === sorted(b) ? 1 : changes;
}
const sorted = (word: string): string => [...word].sort().join('');

/** How many wrong letters still look like a slip. */
const slips = ({ length }: string): number => (length < 2 ? 0 : length < 4 ? 1 : length < 8 ? 2 : 3);
