import type { Question } from '../../api/types.ts';
import { Button } from '../../ui/button.tsx';
import { plainText } from '../../ui/plain-text.ts';
import { optionsOf } from './options.ts';

interface OptionsProps {
  question: Question;
  off: string | undefined;
  /** The choice that is on its way. */
  busy: string | undefined;
  choose: (choice: string) => void;
}

/** A button for each choice; what a choice does is beside it where its name alone does not say. */
export function OptionsList({ question, off, busy, choose }: OptionsProps) {
  return (
    <ul className="question-options" aria-label="Options" data-told={question.kind === 'decision' || undefined}>
      {optionsOf(question).map(({ choice, look, about }) => (
        <li key={choice}>
          <Button look={look} refusal={off} busy={busy === choice} onClick={() => choose(choice)}>
            {plainText(choice)}
          </Button>
          {about !== undefined && <span className="muted">{about}</span>}
        </li>
      ))}
    </ul>
  );
}
