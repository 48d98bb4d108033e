import { useRef, useState } from 'react';
import { Problem } from '../../../api/client.ts';
import type { Plan } from '../../../api/types.ts';
import { Button } from '../../../ui/button.tsx';
import { Editor, type EditorHandle } from '../../../ui/editor/editor.tsx';
import { JsonForm } from '../../../ui/json-form/json-form.tsx';
import { refusal } from '../refusal.ts';
import { useAbout } from '../use-about.ts';
import { FromTask } from './from-task.tsx';
import type { Given } from './given.ts';
import { NEXT_RUN_KINDS, type NextRunKind } from './kinds.ts';
import { RunPreview } from './run-preview.tsx';
import { RunProblem } from './run-problem.tsx';
import { useRunInputs } from './use-run-inputs.ts';
import { type RunRequest, useRunPreview } from './use-run-preview.ts';
import { useStart } from './use-start.ts';

interface NextRunFormProps {
  /** As it was when the dialog was opened, and as it is now. */
  last: Plan;
  now: Plan;
  kind: NextRunKind;
  given: Given;
  onClose: () => void;
}

/** What a next run is asked for with, and what it would do. */
export function NextRunForm({ last, now, kind, given, onClose }: NextRunFormProps) {
  const { mode, start, control } = NEXT_RUN_KINDS[kind];
  const [from, setFrom] = useState('');
  const [text, setText] = useState(given.file.text);
  const editor = useRef<EditorHandle>(null);
  const inputs = useRunInputs(text, given);
  const isValid = Object.keys(inputs.errors).length === 0;
  const request: RunRequest = {
    mode,
    ...(from !== '' && { from }),
    ...(inputs.changed && { inputs: inputs.changed }),
    ...(text !== given.file.text && { plan: text }),
  };
  const { preview, problem, isOld } = useRunPreview(last, isValid ? request : undefined);
  const { busy, failure, submit } = useStart(last, onClose);
  const isTaken = now.run > last.run && !busy;
  const off =
    refusal(control.deed, useAbout(now)) ??
    (isTaken ? 'the plan has a new run already' : undefined) ??
    (isValid ? undefined : 'an input is not valid') ??
    (isOld ? 'what it would do is being looked at' : undefined) ??
    (problem && `it would be refused: ${problem.message}`);
  const told = failure ?? problem;
  return (
    <>
      {kind === 'edit' && (
        <div className="next-run-file">
          <Editor ref={editor} value={text} onChange={setText} label="Plan file" problems={placesIn(problem)} />
        </div>
      )}
      {mode === 'resume' && <FromTask plan={last} value={from} onChange={setFrom} />}
      {inputs.schema && (
        <section className="next-run-inputs" aria-label="Inputs">
          <h3>Inputs</h3>
          <JsonForm schema={inputs.schema} value={inputs.values} onChange={inputs.onChange} errors={inputs.errors} />
        </section>
      )}
      {given.file.isRewritten && Object.keys(given.inputs).length > 0 && (
        <p className="hint">Its inputs stay as they were: what the file says of them was not kept.</p>
      )}
      {isTaken && !failure && (
        <p className="field-error" role="alert">
          Somebody else was first: run {now.run} of this plan has been started already.
        </p>
      )}
      {told && isValid && (
        <RunProblem
          problem={told}
          {...(kind === 'edit' && { goTo: (line, column) => editor.current?.goTo(line, column) })}
        />
      )}
      {preview && <RunPreview preview={preview} isOld={isOld} />}
      {!preview && !told && isValid && <p className="muted">Looking at what it would do …</p>}
      <footer className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" busy={busy} refusal={off} onClick={() => void submit(request)}>
          {start}
        </Button>
      </footer>
    </>
  );
}

const placesIn = (problem: Error | undefined) => (problem instanceof Problem ? (problem.document.errors ?? []) : []);
