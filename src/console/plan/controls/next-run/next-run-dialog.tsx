import { useState } from 'react';
import type { Plan } from '../../../api/types.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { plainText } from '../../../ui/plain-text.ts';
import { useGiven } from './given.ts';
import { NEXT_RUN_KINDS, type NextRunKind } from './kinds.ts';
import { NextRunForm } from './next-run-form.tsx';
import './next-run.css';

interface NextRunProps {
  plan: Plan;
  kind: NextRunKind;
  onClose: () => void;
}

/** Starts a plan's next run: shows first what it would do. */
export default function NextRunDialog({ plan, kind, onClose }: NextRunProps) {
  const { control, about } = NEXT_RUN_KINDS[kind];
  // The run that it goes on from: once there is a new one, the dialog has nothing more to read.
  const [last] = useState(plan);
  const { given, error, retry } = useGiven(last);
  const title = `${control.words.replace('…', '')}: ${plainText(plan.name)}`;
  return (
    <Dialog open onClose={onClose} wide title={title} description={about}>
      {given?.file.isRewritten && kind === 'edit' ? (
        <NotToBeEdited planId={plan.plan_id} />
      ) : given ? (
        <NextRunForm last={last} now={plan} kind={kind} given={given} onClose={onClose} />
      ) : error ? (
        <Failure error={error} retry={retry} />
      ) : (
        <p className="muted">Reading the plan …</p>
      )}
    </Dialog>
  );
}

/** There is no text that could be edited. */
const NotToBeEdited = ({ planId }: { planId: string }) => (
  <p className="run-problem" data-tone="orange">
    The file of this run cannot be edited here: its text was too long to be kept, and what is kept of it is no plan
    file. It can be resumed as it is, or with an edited copy of your own file:{' '}
    <code>holdpoint resume {planId.slice(0, 8)} --plan FILE</code>
  </p>
);
