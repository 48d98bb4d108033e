import type { Plan } from '../../api/types.ts';
import { LimitHold } from '../../usage/limit-hold.tsx';
import { limitOf } from '../../usage/reached.ts';
import { useAbout } from '../controls/use-about.ts';
import { useKeptFocus } from '../controls/use-kept-focus.ts';
import { Questions } from './questions.tsx';
import { useQuestions } from './use-questions.ts';
import { WaitItem } from './wait-item.tsx';
import './attention.css';

/** More waits are counted. */
const SHOWN = 20;

/** What the plan waits for and asks, and who can end that. */
export function Attention({ plan }: { plan: Plan }) {
  const about = useAbout(plan);
  const [questions, putAway] = useQuestions(plan);
  const keepFocus = useKeptFocus<HTMLElement>();
  // Questions have cards of their own.
  const reached = limitOf(plan);
  const waits = plan.waiting_for.filter(({ what }) => what !== 'question');
  if (waits.length === 0 && questions.length === 0) return null;
  return (
    <section className="attention" aria-label="Attention" {...keepFocus}>
      {waits.length > 0 && (
        <div className="card waits">
          <h2>Waits for</h2>
          <ul>
            {waits.slice(0, SHOWN).map((each) => (
              <WaitItem key={`${each.what} ${each.task ?? ''}`} waits={each} about={about} />
            ))}
          </ul>
          {waits.length > SHOWN && <p className="muted">and {waits.length - SHOWN} more</p>}
          {reached && <LimitHold about={about} reached={reached} />}
        </div>
      )}
      <Questions questions={questions} about={about} putAway={putAway} />
    </section>
  );
}
