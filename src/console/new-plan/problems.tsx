import { CircleAlert } from 'lucide-react';
import { Problem } from '../api/client.ts';
import type { FileProblem } from './of-input.ts';

interface ProblemsProps {
  problems: readonly FileProblem[];
  /** Why the file was not looked at. */
  error: Error | undefined;
  onGoTo: (line: number, column?: number) => void;
}

/** More are not read one by one. */
const SHOWN = 100;

/** What is wrong with the file; each leads to its place. */
export function Problems({ problems, error, onGoTo }: ProblemsProps) {
  return (
    <section aria-label="Problems" className="problems">
      <p role="status" className={problems.length > 0 ? 'problems-count' : 'visually-hidden'}>
        {problems.length > 0 && (problems.length === 1 ? '1 problem' : `${problems.length} problems`)}
      </p>
      {error && (
        <p className="field-error" role="alert">
          <CircleAlert aria-hidden size={16} /> {error.message} {error instanceof Problem && <code>{error.code}</code>}
        </p>
      )}
      {problems.length > 0 && (
        <ul>
          {problems.slice(0, SHOWN).map((problem) => (
            <li key={JSON.stringify(problem)}>
              <OneProblem problem={problem} onGoTo={onGoTo} />
            </li>
          ))}
        </ul>
      )}
      {problems.length > SHOWN && <p className="hint">And {problems.length - SHOWN} more.</p>}
    </section>
  );
}

function OneProblem({ problem, onGoTo }: { problem: FileProblem; onGoTo: ProblemsProps['onGoTo'] }) {
  const { message, path, line, column } = problem;
  const words = (
    <>
      {path.length > 0 && <code>{path.join('.')}</code>} {message}
    </>
  );
  if (line === undefined) return <div className="problem">{words}</div>;
  return (
    <button type="button" className="problem" onClick={() => onGoTo(line, column)}>
      <span className="problem-place">
        Line {line}
        {column !== undefined && `:${column}`}
      </span>
      <span>{words}</span>
    </button>
  );
}
