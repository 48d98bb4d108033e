import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Rocket } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { meQuery } from '../api/queries.ts';
import { placesOf } from '../plan/file/places.ts';
import { Button } from '../ui/button.tsx';
import { Editor, type EditorHandle } from '../ui/editor/editor.tsx';
import { JsonForm } from '../ui/json-form/json-form.tsx';
import { notify } from '../ui/notices.tsx';
import { Beginnings } from './beginnings.tsx';
import { EMPTY, forgetDraft, useDraft } from './draft.ts';
import { DropFile } from './drop-file.tsx';
import { Foreseen } from './foreseen.tsx';
import { type FileProblem, isOfInput } from './of-input.ts';
import { Problems } from './problems.tsx';
import { createPlan, keyFor, refusalOf, requestOf } from './request.ts';
import { StartOptions } from './start-options.tsx';
import { useDeclaredInputs, useGiven } from './use-inputs.ts';
import { useValidation } from './use-validation.ts';
import './new-plan.css';

/** Larger than the page itself. */
const GraphPreview = lazy(() => import('./graph-preview.tsx'));

/** A plan file is written or dropped, looked at while it is, and started. */
export function NewPlanPage() {
  const [draft, change] = useDraft();
  const { data: me } = useQuery(meQuery);
  const editor = useRef<EditorHandle>(null);
  const schema = useDeclaredInputs(draft.text);
  const { given, values, errors } = useGiven(schema, draft.inputs);
  const validation = useValidation(draft.text, given);
  const ofInputs = validation.problems.filter((problem) => isOfInput(problem, schema, given));
  const problems = validation.problems.filter((problem) => !ofInputs.includes(problem));
  const wrongInputs = { ...messagesOf(ofInputs), ...errors };
  // Whoever comes back before the plan's page is there finds this one as it is: it has to be empty, too.
  const { start, busy, failure } = useStart(() => change(EMPTY));
  useEffect(() => {
    document.title = 'New plan – Holdpoint';
  }, []);
  const refusal = refusalOf({
    draft,
    me,
    validation,
    fileProblems: problems.length,
    wrongInputs: Object.keys(wrongInputs),
  });
  const goToTask = async (id: string) => {
    const place = await placesOf(draft.text, [id]).then((found) => found.get(id));
    if (place) editor.current?.goTo(place.line, place.column);
    else notify(`Where ${id} is written was not found.`, 'orange');
  };
  const write = (text: string) => change({ text });
  return (
    <DropFile onFile={write}>
      <div className="new-plan">
        <div className="stack new-plan-file">
          <header className="row">
            <h1>New plan</h1>
            <Beginnings onText={write} isEmpty={draft.text.trim() === ''} />
          </header>
          <Editor ref={editor} label="Plan file" value={draft.text} onChange={write} problems={problems} />
          <Problems
            problems={problems}
            error={validation.isCurrent ? validation.error : undefined}
            onGoTo={(line, column) => editor.current?.goTo(line, column)}
          />
        </div>
        <div className="stack new-plan-side">
          {schema && (
            <section className="card stack" aria-labelledby="new-plan-inputs">
              <h2 id="new-plan-inputs">Inputs</h2>
              <JsonForm
                schema={schema}
                value={values}
                errors={alreadyGiven(wrongInputs, draft.inputs)}
                onChange={(next, path) => {
                  const [name] = path.split('.') as [string];
                  // What was emptied is not what was never given: that has its default.
                  change({ inputs: { ...draft.inputs, [name]: next[name] ?? null } });
                }}
              />
            </section>
          )}
          <StartOptions draft={draft} onChange={change} />
          <div className="row">
            <Button
              look="primary"
              icon={<Rocket aria-hidden size={16} />}
              refusal={refusal}
              busy={busy}
              onClick={() => {
                const sent = keyFor(JSON.stringify(requestOf(draft, given)), draft.sent);
                change({ sent });
                void start(sent);
              }}
            >
              Start
            </Button>
            {refusal !== undefined && (
              <span className="hint" aria-hidden>
                {refusal}
              </span>
            )}
          </div>
          {failure !== undefined && (
            <p className="field-error" role="alert">
              {failure}
            </p>
          )}
          <Foreseen validation={validation} me={me} isWaitingForInputs={ofInputs.length > 0 && problems.length === 0} />
        </div>
        {validation.dryRun && (
          <section className="new-plan-graph" aria-label="Graph of what would run" aria-busy={!validation.isCurrent}>
            <Suspense fallback={<p className="muted">Loading the graph …</p>}>
              <GraphPreview tasks={validation.dryRun.would_run} onOpen={(id) => void goToTask(id)} />
            </Suspense>
          </section>
        )}
      </div>
    </DropFile>
  );
}

const messagesOf = (problems: readonly FileProblem[]) =>
  Object.fromEntries(problems.map(({ path, message }) => [String(path[1]), message]));

/** Nobody is told of fields that they have not come to yet. */
const alreadyGiven = (errors: Record<string, string>, inputs: object) =>
  Object.fromEntries(Object.entries(errors).filter(([path]) => Object.hasOwn(inputs, path.split('.')[0]!)));

/** Starts a plan, and goes to its page. */
function useStart(onGone: () => void) {
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const start = async (sent: Parameters<typeof createPlan>[0]) => {
    setBusy(true);
    setFailure(undefined);
    try {
      const { plan_id } = await createPlan(sent);
      forgetDraft();
      await navigate({ to: '/plans/$planId', params: { planId: plan_id } });
      onGone();
    } catch (error) {
      setFailure((error as Error).message);
    } finally {
      setBusy(false);
    }
  };
  return { start, busy, failure };
}
