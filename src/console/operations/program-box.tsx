import { FlaskConical, Play, SquareStack } from 'lucide-react';
import { type KeyboardEvent, useRef } from 'react';
import { Problem } from '../api/client.ts';
import { useLacking } from '../chats/may.ts';
import { Button } from '../ui/button.tsx';
import { DryRun, hasRefused, isReview } from './dry-run.tsx';
import type { SessionPlace } from './places.ts';
import { useProgramDraft } from './program-draft.ts';
import { ProgramOutcome } from './program-outcome.tsx';
import { ProgramProblems } from './program-problems.tsx';
import { type Deed, useProgram } from './use-program.ts';

const LONGEST = 65_536;
const CONTINUATION = /^\s*(wait|cancel|page)\s*\(/;

/** A program is written, tried without asking anything of its sources, and run. */
export function ProgramBox({ place, entities }: { place: SessionPlace; entities: readonly string[] }) {
  const [text, setText] = useProgramDraft(place);
  const { run, busy, outcome, dry } = useProgram(place);
  const area = useRef<HTMLTextAreaElement>(null);
  const lacking = useLacking();
  const isEmpty = text.trim() === '' ? 'there is no program' : undefined;
  const goesOn = CONTINUATION.test(text);
  const known = dry?.text === text ? dry : undefined;
  const wrong =
    outcome?.text === text && outcome.error instanceof Problem && outcome.error.code === 'PROGRAM_INVALID'
      ? 'the program has errors; mend them first'
      : undefined;
  const toTry = isEmpty ?? (goesOn ? 'wait, cancel and page go on with what was run; run it' : undefined);
  const off = isEmpty ?? wrong ?? (known && hasRefused(known.answer) ? 'it has steps that are not run yet' : undefined);
  const may = (needs: string | undefined) => (goesOn ? lacking('plan:read') : lacking('plan:create')) ?? needs;
  const accept = known && isReview(known.answer);
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    const refusal = may(goesOn ? off : toTry);
    if (refusal === undefined) void run(text, goesOn ? 'now' : 'plan');
  };
  const goTo = (line: number, column = 1) => {
    const before = text.split('\n').slice(0, line - 1);
    const at = before.reduce((sum, each) => sum + each.length + 1, 0) + column - 1;
    const word = /^[\w.]+/.exec(text.slice(at))?.[0].length ?? 1;
    area.current?.focus();
    area.current?.setSelectionRange(at, at + word);
  };
  const button = (deed: Deed) => ({ busy: busy === deed, onClick: () => void run(text, deed) });
  const others = busy === undefined ? undefined : 'another is on its way';
  return (
    <section className="card program-box" aria-labelledby="program-heading">
      <h2 id="program-heading">Run a program</h2>
      <label htmlFor="program" className="visually-hidden">
        Program
      </label>
      <textarea
        id="program"
        ref={area}
        className="mono"
        rows={4}
        value={text}
        maxLength={LONGEST}
        spellCheck={false}
        autoCapitalize="off"
        autoCorrect="off"
        placeholder={`${entities[0] ?? 'Entity'}.limit(10)`}
        aria-describedby="program-keys"
        onChange={({ target }) => setText(target.value)}
        onKeyDown={press}
      />
      <p id="program-keys" className="hint">
        Ctrl+Enter makes a dry run, which asks nothing of the source.
      </p>
      <div className="row">
        <Button
          icon={<FlaskConical aria-hidden size={16} />}
          refusal={may(toTry) ?? (busy === 'plan' ? undefined : others)}
          {...button('plan')}
        >
          Dry run
        </Button>
        <Button
          look="primary"
          icon={<Play aria-hidden size={16} />}
          refusal={may(off) ?? (busy === 'now' ? undefined : others)}
          {...button('now')}
        >
          {accept ? 'Accept and run now' : 'Run now'}
        </Button>
        <Button
          icon={<SquareStack aria-hidden size={16} />}
          refusal={
            may(off ?? (goesOn ? 'it is answered at once' : undefined)) ?? (busy === 'background' ? undefined : others)
          }
          {...button('background')}
        >
          {accept ? 'Accept and run in the background' : 'Run in the background'}
        </Button>
      </div>
      <p className="visually-hidden" role="status">
        {busy === 'now' && 'It runs'}
      </p>
      {outcome?.error !== undefined && (
        <ProgramProblems error={outcome.error} onGoTo={outcome.text === text ? goTo : undefined} />
      )}
      {dry?.answer && <DryRun answer={dry.answer} isOld={dry.text !== text} />}
      {outcome?.answer && (
        <ProgramOutcome
          place={place}
          answer={outcome.answer}
          busy={busy !== undefined}
          run={(text) => run(text, 'now')}
        />
      )}
    </section>
  );
}
