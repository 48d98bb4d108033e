import { MessageCircleOff, MessageCircleQuestionMark, X } from 'lucide-react';
import { Suspense } from 'react';
import { plainText } from '../../ui/plain-text.ts';
import { Ago, Clock } from '../../ui/times.tsx';
import type { About } from '../controls/refusal.ts';
import { TaskButton } from '../header/task-button.tsx';
import { Expiry } from './expiry.tsx';
import { useOutcome } from './outcome.ts';
import { QuestionForm } from './question-form.tsx';
import type { SeenQuestion } from './use-questions.ts';
import { whoMay } from './wait-item.tsx';

interface QuestionCardProps {
  seen: SeenQuestion;
  about: About;
  /** Not to be seen, but kept as it is. */
  isFolded: boolean;
  onPutAway: () => void;
}

/** A question with its form; one that is closed says what became of it, and keeps what was written in it. */
export function QuestionCard({ seen: { question, isClosed }, about, isFolded, onPutAway }: QuestionCardProps) {
  const { id, task, prompt, opened_at } = question;
  const outcome = useOutcome(about.plan, question, isClosed);
  const Icon = isClosed ? MessageCircleOff : MessageCircleQuestionMark;
  return (
    <article
      hidden={isFolded}
      className="card question"
      data-closed={isClosed || undefined}
      aria-label={`Question ${id}`}
    >
      <header className="question-head">
        <Icon aria-hidden size={18} />
        <p className="question-prompt">{plainText(prompt)}</p>
        {isClosed && (
          <button type="button" className="icon-button" aria-label={`Put question ${id} away`} onClick={onPutAway}>
            <X aria-hidden size={16} />
          </button>
        )}
      </header>
      <p className="wait-more">
        <TaskButton id={task} />
        <span>
          asked <Ago at={opened_at} />
        </span>
        {!isClosed && <Expiry question={question} />}
        {!isClosed && <span>{whoMay(about, 'you can answer')}</span>}
      </p>
      <p className="question-outcome" role="status">
        {outcome && (
          <>
            {outcome.words}
            {outcome.at !== undefined && (
              <>
                {' '}
                (<Clock at={outcome.at} />)
              </>
            )}
          </>
        )}
      </p>
      <Suspense fallback={<p className="muted">Loading its form …</p>}>
        <QuestionForm question={question} about={about} closed={outcome?.words} />
      </Suspense>
    </article>
  );
}
