import { lazy, useId, useRef, useState } from 'react';
import type { Problem } from '../../api/client.ts';
import type { Question } from '../../api/types.ts';
import { Button } from '../../ui/button.tsx';
import { readJson } from '../../ui/json-form/draft-fields.tsx';
import { type JsonSchema, Unreadable } from '../../ui/json-form/schema.ts';
import { type About, refusal } from '../controls/refusal.ts';
import { sendCommand } from '../controls/send.ts';
import type { AnswerFields } from './answer-fields.tsx';
import { OptionsList } from './options-list.tsx';

interface QuestionFormProps {
  question: Question;
  about: About;
  /** What became of it: nothing can be sent any more. */
  closed: string | undefined;
}

/** With what checks its values; most questions have no form. */
const AnswerForm = lazy(() => import('./answer-fields.tsx'));

/** What is to be answered. Its draft stays, whatever comes from the server meanwhile. */
export function QuestionForm({ question, about, closed }: QuestionFormProps) {
  const [schema] = useState(question.form as JsonSchema | undefined);
  const fields = useRef<AnswerFields>(null);
  const [comment, setComment] = useState('');
  const [outputs, setOutputs] = useState('');
  const [failure, setFailure] = useState<string>();
  const id = useId();
  const target = `question ${question.id}`;
  const off = closed ?? refusal('answer', about, target);
  const under = about.underway.find((each) => each.target === target && each.is === 'sent');
  const send = async (words: string, given: object) => {
    setFailure(undefined);
    const path = `/questions/${encodeURIComponent(question.id)}/answer`;
    const body = { ...given, ...(comment.trim() !== '' && { comment: comment.trim() }) };
    const { plan_id: planId } = about.plan;
    const sent = await sendCommand({ planId, deed: 'answer', target, words, method: 'POST', path, body });
    if (sent.result === 'refused') setFailure((sent.error as Problem | Error).message);
  };
  const choose = (choice: string) => {
    const values = choice === 'complete' && question.kind === 'decision' ? readJson(outputs) : undefined;
    if (values instanceof Unreadable) return setFailure(values.why);
    void send(choice, { choice, ...(values !== undefined && { values }) });
  };
  const submit = () => {
    const values = fields.current?.submit();
    if (values) void send('Answer', { values });
  };
  return (
    <form
      className="question-form"
      aria-label={`Answer to ${question.id}`}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (schema && off === undefined) submit();
      }}
    >
      <fieldset className="question-fields" disabled={closed !== undefined}>
        <legend className="visually-hidden">Your answer</legend>
        {schema && <AnswerForm ref={fields} schema={schema} />}
        {question.kind === 'decision' && question.options.includes('complete') && (
          <div className="field">
            <label htmlFor={`${id}-outputs`}>Outputs for “complete” (optional)</label>
            <textarea
              id={`${id}-outputs`}
              className="mono"
              rows={2}
              aria-describedby={`${id}-outputs-hint`}
              value={outputs}
              onChange={(e) => setOutputs(e.target.value)}
            />
            <p id={`${id}-outputs-hint`} className="hint">
              What the task is taken to have given, as JSON: {'{"stdout": "done"}'}
            </p>
          </div>
        )}
        <div className="field">
          <label htmlFor={`${id}-comment`}>Comment (optional)</label>
          <input
            id={`${id}-comment`}
            type="text"
            maxLength={10_000}
            value={comment}
            onChange={(e) => setComment(e.target.value)}
          />
        </div>
      </fieldset>
      {failure !== undefined && (
        <p className="field-error" role="alert">
          {failure}
        </p>
      )}
      {schema ? (
        <div className="row">
          <Button type="submit" look="primary" refusal={off} busy={under !== undefined}>
            Answer
          </Button>
        </div>
      ) : (
        <OptionsList question={question} off={off} busy={under?.words} choose={choose} />
      )}
    </form>
  );
}
