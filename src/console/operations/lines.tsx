import { wireLine } from '../../plan/wire-line.ts';
import type { Operation } from '../api/types.ts';
import { plainText } from '../ui/plain-text.ts';
import { kindOfLine, LINE_BADGES } from './looks.ts';
import type { SessionPlace } from './places.ts';
import { useLines } from './use-lines.ts';

/** More are not looked through by anybody. */
const MOST_SHOWN = 200;

/** What an operation has told so far, the newest first. */
export function Lines({ place, operation }: { place: SessionPlace; operation: Operation }) {
  const { handle, plan_commit_ref, verdict } = operation;
  const told = useLines(place, operation);
  const review = verdict === 'review';
  const accepted = wireLine(handle, {
    is: 'accepted',
    ...(plan_commit_ref && { commit_ref: plan_commit_ref }),
    review,
  });
  const all = [{ n: 1, line: accepted }, ...told];
  const shown = all.slice(-MOST_SHOWN).reverse();
  return (
    <section className="card" aria-labelledby="lines">
      <h2 id="lines">What it told</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard. */}
      <div className="lines" role="log" aria-labelledby="lines" tabIndex={0}>
        <ol>
          {shown.map(({ n, line }) => {
            const { icon: Icon, tone, words } = LINE_BADGES[kindOfLine(line)];
            return (
              <li key={n} className="line">
                <span className="line-icon" data-tone={tone} title={words}>
                  <Icon aria-hidden size={14} />
                  <span className="visually-hidden">{words}: </span>
                </span>
                <code>{plainText(line)}</code>
              </li>
            );
          })}
        </ol>
      </div>
      {all.length > MOST_SHOWN && (
        <p className="hint">
          The newest {MOST_SHOWN} of {all.length} lines.
        </p>
      )}
    </section>
  );
}
