import { useId, useState } from 'react';
import { type About, refusal } from '../plan/controls/refusal.ts';
import { sendCommand } from '../plan/controls/send.ts';
import { Button } from '../ui/button.tsx';
import { LimitsPanel } from './limits-panel.tsx';
import { type LimitReached, useAdjusted } from './reached.ts';
import { Refused } from './refused.tsx';
import './usage.css';

/** What there is to be done about a limit that holds a plan: it is raised here, and the plan goes on. */
export function LimitHold({ about, reached }: { about: About; reached: LimitReached }) {
  const { plan, underway } = about;
  const [isOpen, setOpen] = useState(false);
  const [refused, setRefused] = useState<unknown>();
  const panel = useId();
  const isAdjusted = useAdjusted(plan.plan_id, reached);
  const resume = async () => {
    setRefused(undefined);
    const { plan_id: planId } = plan;
    const sent = await sendCommand({ planId, deed: 'resume', words: 'Resume', method: 'PUT', path: '/resume' });
    if (sent.result === 'refused') setRefused(sent.error);
  };
  return (
    <div className="limit-hold">
      <div className="row">
        <Button look="amber" aria-expanded={isOpen} aria-controls={panel} onClick={() => setOpen(!isOpen)}>
          {reached.limit === 'plan' ? 'Raise its budget & resume' : 'Increase limit & resume'}
        </Button>
        <Button
          look={isAdjusted ? 'green' : 'plain'}
          refusal={refusal('resume', about)}
          busy={underway.some(({ target, deed, is }) => target === undefined && deed === 'resume' && is === 'sent')}
          onClick={() => void resume()}
        >
          Resume
        </Button>
      </div>
      <div id={panel} hidden={!isOpen}>
        {isOpen && <LimitsPanel planId={plan.plan_id} reached={reached} onSaved={() => setRefused(undefined)} />}
      </div>
      <Refused error={refused} />
    </div>
  );
}
