import { CircleAlert } from 'lucide-react';
import { Problem } from '../../../api/client.ts';
import { Button } from '../../../ui/button.tsx';

/** Why the API would not start such a run; places in the file lead there. */
export function RunProblem({ problem, goTo }: { problem: Error; goTo?: (line: number, column?: number) => void }) {
  const errors = problem instanceof Problem ? (problem.document.errors ?? []) : [];
  return (
    <div className="run-problem" role="alert" data-tone="red">
      <p className="row">
        <CircleAlert aria-hidden size={18} /> {errors.length > 0 ? 'The plan file is not valid:' : problem.message}
      </p>
      {errors.length > 0 && (
        <ul>
          {errors.map(({ message, path, line, column }) => (
            <li key={`${line}:${column}:${path.join('.')}:${message}`}>
              {line !== undefined && goTo ? (
                <Button look="quiet" className="run-problem-place" onClick={() => goTo(line, column)}>
                  line {line}
                  {column !== undefined && `, column ${column}`}
                </Button>
              ) : (
                line !== undefined && `line ${line}, column ${column}: `
              )}{' '}
              {path.length > 0 && <code>{path.join('.')}</code>} {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
