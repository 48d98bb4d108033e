import { useQuery } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import { call, planPath, requestId } from '../../../api/client.ts';
import { planQuery, queryClient } from '../../../api/queries.ts';
import type { Plan } from '../../../api/types.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Editor, type EditorHandle } from '../../../ui/editor/editor.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { JsonForm } from '../../../ui/json-form/json-form.tsx';
import { useJsonForm } from '../../../ui/json-form/use-json-form.ts';
import { notify } from '../../../ui/notices.tsx';
import { CONTROLS } from '../controls.ts';
import { refusal } from '../refusal.ts';
import { readAgain } from '../send.ts';
import { useAbout } from '../use-about.ts';
import { changedOf } from './changed.ts';
import { fileQuery, inputsQuery, schemaOfInputs } from './plan-text.ts';
import { RunPreview } from './run-preview.tsx';
import { RunProblem } from './run-problem.tsx';
import { type RunRequest, useRunPreview } from './use-run-preview.ts';
import './next-run.css';

const KINDS = {
  resume: {
    control: CONTROLS.resume_run,
    mode: 'resume',
    start: 'Resume',
    about: 'The next run keeps what was finished, and does the rest.',
  },
  retry: {
    control: CONTROLS.retry_run,
    mode: 'retry',
    start: 'Retry',
    about: 'The next run starts from nothing: everything is done again.',
  },
  edit: {
    control: CONTROLS.edit_run,
    mode: 'resume',
    start: 'Resume with edits',
    about: 'The next run goes by the file as you edit it. What is the same and was finished is kept.',
  },
} as const;
export type NextRunKind = keyof typeof KINDS;

interface NextRunProps {
  plan: Plan;
  kind: NextRunKind;
  onClose: () => void;
}

/** Starts a plan's next run: shows what it would do first. */
export default function NextRunDialog({ plan, kind, onClose }: NextRunProps) {
  const { control, about } = KINDS[kind];
  // The run that it goes on from: once there is a new one, the dialog has nothing more to read.
  const [run] = useState(plan.run);
  const file = useQuery({ ...fileQuery(plan.plan_id, run), enabled: kind === 'edit' });
  const inputs = useQuery({ ...inputsQuery(plan.plan_id, run), retry: false });
  const isRead = !inputs.isPending && (kind !== 'edit' || file.data !== undefined);
  return (
    <Dialog open onClose={onClose} wide title={`${control.words.replace('…', '')}: ${plan.name}`} description={about}>
      {file.error ? (
        <Failure error={file.error} retry={() => void file.refetch()} />
      ) : isRead ? (
        <NextRunForm plan={plan} kind={kind} onClose={onClose} text={file.data} given={inputs.data} />
      ) : (
        <p className="muted">Reading the plan …</p>
      )}
    </Dialog>
  );
}

interface NextRunFormProps extends NextRunProps {
  text: string | undefined;
  given: { inputs: Parameters<typeof schemaOfInputs>[0]; given: Record<string, unknown> } | undefined;
}

function NextRunForm({ plan, kind, onClose, text: original, given }: NextRunFormProps) {
  const { mode, start, control } = KINDS[kind];
  const [from, setFrom] = useState('');
  const [text, setText] = useState(original);
  const [schema] = useState(() => schemaOfInputs(given?.inputs ?? {}));
  const form = useJsonForm(schema, given?.given);
  const editor = useRef<EditorHandle>(null);
  const id = useId();
  const changed = changedOf(form.value, given?.given ?? {});
  const request: RunRequest = {
    mode,
    ...(from !== '' && { from }),
    ...(changed && { inputs: changed }),
    ...(kind === 'edit' && text !== undefined && text !== original && { plan: text }),
  };
  const [last] = useState(plan);
  const { preview, problem, isOld } = useRunPreview(last, form.isValid ? request : undefined);
  const { busy, failure, submit } = useStart(last, onClose);
  const isTaken = plan.run > last.run && !busy;
  const off =
    refusal(control.deed, useAbout(plan)) ??
    (isTaken ? 'the plan has a new run already' : undefined) ??
    (form.isValid ? undefined : 'an input is not valid') ??
    (isOld ? 'what it would do is being looked at' : undefined) ??
    (problem ? `the API would refuse it: ${problem.message}` : undefined);
  const told = failure ?? (isOld ? undefined : problem);
  const tasks = plan.tasks.filter(({ handler }) => handler === undefined);
  return (
    <>
      {kind === 'edit' && text !== undefined && (
        <Editor ref={editor} value={text} onChange={setText} label="Plan file" problems={problemsIn(problem)} />
      )}
      {mode === 'resume' && tasks.length > 0 && (
        <div className="field">
          <label htmlFor={id}>Run again from</label>
          <select id={id} value={from} onChange={(e) => setFrom(e.target.value)}>
            <option value="">what is not finished</option>
            {tasks.map((task) => (
              <option key={task.id} value={task.id}>
                {task.id}
              </option>
            ))}
          </select>
          <p className="hint">A task that is chosen runs again with all that depends on it, though it was finished.</p>
        </div>
      )}
      {Object.keys(schema.properties ?? {}).length > 0 && (
        <section className="next-run-inputs" ref={form.ref} aria-label="Inputs">
          <h3>Inputs</h3>
          <JsonForm schema={schema} value={form.value} onChange={form.onChange} errors={form.errors} />
        </section>
      )}
      {isTaken && !failure && (
        <p className="field-error" role="alert">
          Somebody else was first: run {plan.run} of this plan has been started already.
        </p>
      )}
      {told && (
        <RunProblem
          problem={told}
          {...(kind === 'edit' && { goTo: (line, column) => editor.current?.goTo(line, column) })}
        />
      )}
      {preview ? (
        <RunPreview preview={preview} isOld={isOld} />
      ) : (
        !told && form.isValid && <p className="muted">Looking at what it would do …</p>
      )}
      <footer className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" busy={busy} refusal={off} onClick={() => form.submit() && void submit(request)}>
          {start}
        </Button>
      </footer>
    </>
  );
}

function problemsIn(problem: Error | undefined) {
  return problem && 'document' in problem
    ? ((problem as { document: { errors?: FileProblem[] } }).document.errors ?? [])
    : [];
}
type FileProblem = { message: string; line?: number; column?: number };

/** Starts it, once; the page goes on with the new run. */
function useStart(plan: Plan, onClose: () => void) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Error>();
  const sent = useRef(false);
  const submit = async (request: RunRequest) => {
    if (sent.current) return;
    sent.current = true;
    setBusy(true);
    setFailure(undefined);
    try {
      const body = { ...request, request_id: requestId() };
      await call('POST', planPath(plan.plan_id, '/runs'), { body });
      notify(`Run ${plan.run + 1} of ${plan.name} has been started.`, 'blue');
      await readUntil(plan);
      onClose();
    } catch (error) {
      setFailure(error as Error);
      await readAgain(plan.plan_id);
    } finally {
      sent.current = false;
      setBusy(false);
    }
  };
  return { busy, failure, submit };
}

const TRIES = 20;
const AGAIN_MS = 250;

/** Until the new run is what is read; while no worker is there that may take longer than anybody waits. */
async function readUntil({ plan_id, run }: Plan): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    await readAgain(plan_id);
    const now = queryClient.getQueryData(planQuery(plan_id).queryKey);
    if (now && now.run > run) return;
    await new Promise((then) => setTimeout(then, AGAIN_MS));
  }
}
