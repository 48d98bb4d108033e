import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { PendingCheckpoint } from '../api/types.ts';
import { Button } from '../ui/button.tsx';
import { JsonForm } from '../ui/json-form/json-form.tsx';
import type { JsonSchema } from '../ui/json-form/schema.ts';
import { useJsonForm } from '../ui/json-form/use-json-form.ts';
import { plainText } from '../ui/plain-text.ts';
import { answerCheckpoint } from './act.ts';
import { useLacking } from './may.ts';
import { readChatAgain } from './queries.ts';

const route = getRouteApi('/chats/$chatId');
const NO_FIELDS: JsonSchema = { type: 'object' };

interface CheckpointAnswerProps {
  runId: string;
  checkpoint: PendingCheckpoint;
  /** What became of it: nothing can be sent any more. */
  closed: string | undefined;
}

/** A button for each option, or a form; pressed once. */
export function CheckpointAnswer({ runId, checkpoint, closed }: CheckpointAnswerProps) {
  const { chatId } = route.useParams();
  const { checkpointId, options } = checkpoint;
  const [schema] = useState((checkpoint.form as JsonSchema | undefined) ?? NO_FIELDS);
  const form = useJsonForm(schema);
  const [busy, setBusy] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const lacking = useLacking();
  const off =
    closed ?? lacking('plan:approve') ?? (busy === undefined ? undefined : `“${plainText(busy)}” is on its way`);
  const send = async (words: string, answer: object) => {
    setBusy(words);
    setFailure(undefined);
    try {
      await answerCheckpoint(runId, { checkpointId, ...answer });
    } catch (error) {
      setFailure((error as Error).message);
    } finally {
      await readChatAgain(chatId).catch(() => {});
      setBusy(undefined);
    }
  };
  const submit = () => {
    const values = form.submit();
    if (values) void send('Answer', { values });
  };
  return (
    <div className="stack">
      {checkpoint.form ? (
        <form
          className="stack"
          aria-label="Answer"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (off === undefined) submit();
          }}
        >
          <div ref={form.ref}>
            <JsonForm schema={schema} value={form.value} onChange={form.onChange} errors={form.errors} />
          </div>
          <div className="row">
            <Button type="submit" look="primary" refusal={off} busy={busy !== undefined}>
              Answer
            </Button>
          </div>
        </form>
      ) : (
        <ul className="checkpoint-options" aria-label="Options">
          {options.map((option, i) => (
            <li key={option}>
              <Button
                look={i === 0 ? 'primary' : 'plain'}
                refusal={off}
                busy={busy === option}
                onClick={() => void send(option, { option })}
              >
                {plainText(option)}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {failure !== undefined && (
        <p role="alert" className="field-error">
          {failure}
        </p>
      )}
    </div>
  );
}
