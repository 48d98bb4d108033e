import { useId } from 'react';
import type { AttemptLog } from '../../api/types.ts';
import { nameOf, size, wordsOf } from './log-buffer.ts';
import type { LogChoice } from './use-log.ts';

interface WhichAttemptProps {
  attempts: readonly AttemptLog[];
  /** Undefined: all of the newest run, as they come. */
  chosen: string | undefined;
  onChoose: (name: string | undefined) => void;
}

export function WhichAttempt({ attempts, chosen, onChoose }: WhichAttemptProps) {
  const id = useId();
  return (
    <span className="log-pick">
      <label htmlFor={id}>Attempt</label>
      <select
        id={id}
        className="log-attempt"
        value={chosen ?? ''}
        onChange={({ target: { value } }) => onChoose(value === '' ? undefined : value)}
      >
        <option value="">All of the newest run</option>
        {attempts.toReversed().map((attempt) => (
          <option key={nameOf(attempt)} value={nameOf(attempt)}>
            {wordsOf(attempt)} ({size(attempt.bytes)})
          </option>
        ))}
      </select>
    </span>
  );
}

/** What to read: one attempt, or all of the newest run in which the task wrote something. */
export function choiceOf(attempts: readonly AttemptLog[], chosen: string | undefined, run: number): LogChoice {
  const one = attempts.find((attempt) => nameOf(attempt) === chosen);
  if (!one) return { run: attempts.at(-1)?.run ?? run };
  const { attempt, dispatch, again } = one;
  return { run: one.run, attempt, dispatch, ...(again !== undefined && { again }) };
}
