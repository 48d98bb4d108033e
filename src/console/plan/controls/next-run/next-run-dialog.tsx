import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Plan } from '../../../api/types.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { givenQuery } from './given.ts';
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
  const { data: given, error, refetch } = useQuery(givenQuery(last.plan_id, last.run));
  const title = `${control.words.replace('…', '')}: ${plan.name}`;
  return (
    <Dialog open onClose={onClose} wide title={title} description={about}>
      {given ? (
        <NextRunForm last={last} now={plan} kind={kind} given={given} onClose={onClose} />
      ) : error ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : (
        <p className="muted">Reading the plan …</p>
      )}
    </Dialog>
  );
}
