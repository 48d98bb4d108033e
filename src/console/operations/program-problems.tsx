import { Problem } from '../api/client.ts';
import { ERROR_ICON as CircleAlert } from './looks.ts';

interface ProgramProblemsProps {
  error: unknown;
  /** Absent when the program is another by now. */
  onGoTo: ((line: number, column?: number) => void) | undefined;
}

const SHOWN = 50;

/** Why a program was not run; what has a place leads to it. */
export function ProgramProblems({ error, onGoTo }: ProgramProblemsProps) {
  const { code, errors = [] } = error instanceof Problem ? error.document : { code: undefined };
  const isReview = code === 'REVIEW_REQUIRED';
  const placed = errors.filter(({ line }) => line !== undefined);
  return (
    <div role="alert" className="program-problems">
      <p className="field-error">
        <CircleAlert aria-hidden size={16} />{' '}
        {isReview
          ? 'This program has to be reviewed first: make a dry run, look at what it says, and accept it.'
          : placed.length > 0
            ? `The program cannot be run: ${errors.length === 1 ? '1 problem' : `${errors.length} problems`}`
            : error instanceof Error
              ? error.message
              : String(error)}{' '}
        {code && <code>{code}</code>}
      </p>
      {(isReview || placed.length > 0) && (
        <ul data-placed={placed.length > 0 || undefined}>
          {errors.slice(0, SHOWN).map(({ message, line, column }) => (
            <li key={`${line} ${column} ${message}`}>
              {line !== undefined && onGoTo && (
                <button type="button" className="problem" onClick={() => onGoTo(line, column)}>
                  <span className="problem-place">{placeOf(line, column)}</span>
                  <span>{message}</span>
                </button>
              )}
              {line !== undefined && !onGoTo && `${placeOf(line, column)} ${message}`}
              {line === undefined && message}
            </li>
          ))}
        </ul>
      )}
      {errors.length > SHOWN && <p className="hint">And {errors.length - SHOWN} more.</p>}
    </div>
  );
}

const placeOf = (line: number, column: number | undefined): string =>
  column === undefined ? `Line ${line}` : `Line ${line}, column ${column}`;
