import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import type { About } from '../controls/refusal.ts';
import { QuestionCard } from './question-card.tsx';
import type { SeenQuestion } from './use-questions.ts';

/** So many are there at once, so that what the plan does is near: a map may ask ten thousand times. */
const FIRST = 3;
const FIRST_IF_NARROW = 1;
const NARROW = '(max-width: 860px)';
const MORE = 20;

interface QuestionsProps {
  questions: readonly SeenQuestion[];
  about: About;
  putAway: (id: string) => void;
}

/** A card for each question: the first at once, the others when they are asked for. */
export function Questions({ questions, about, putAway }: QuestionsProps) {
  const [first] = useState(() => (matchMedia(NARROW).matches ? FIRST_IF_NARROW : FIRST));
  const [shown, setShown] = useState(first);
  // What was written in a card that is folded again stays in it.
  const [drawn, setDrawn] = useState(first);
  const left = Math.max(0, questions.length - shown);
  const more = () => {
    setShown(shown + MORE);
    setDrawn(Math.max(drawn, shown + MORE));
  };
  return (
    <>
      {questions.slice(0, drawn).map((seen, i) => (
        <QuestionCard
          key={seen.question.id}
          seen={seen}
          about={about}
          isFolded={i >= shown}
          onPutAway={() => putAway(seen.question.id)}
        />
      ))}
      {questions.length > first && (
        <div className="row questions-more">
          <span className="muted" role="status">
            {Math.min(shown, questions.length)} of {questions.length} questions
          </span>
          {left > 0 && <Button onClick={more}>{left > MORE ? `Show ${MORE} more` : `Show ${left} more`}</Button>}
          {shown > first && (
            <Button look="quiet" onClick={() => setShown(first)}>
              Show fewer
            </Button>
          )}
        </div>
      )}
    </>
  );
}
