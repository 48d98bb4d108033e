import { useQuery } from '@tanstack/react-query';
import { Pause } from 'lucide-react';
import { useId, useState } from 'react';
import { planQuery } from '../api/queries.ts';
import type { ChatStatus } from '../api/types.ts';
import { Button } from '../ui/button.tsx';
import { LimitsPanel } from '../usage/limits-panel.tsx';
import { limitOf, useAdjusted } from '../usage/reached.ts';
import { Refused } from '../usage/refused.tsx';
import { useRunDeeds } from './act.ts';
import { sentence } from './looks.ts';
import { useLacking } from './may.ts';
import '../usage/usage.css';

/** Document 3's words, for each reason; null: somebody paused it. */
const WORDS: Record<NonNullable<ChatStatus['errorType']> | 'paused', string> = {
  server_restart: 'The server was restarted. Pipeline interrupted.',
  cost_limit: 'Token limit reached. Pipeline paused.',
  provider_limit: 'The limit of the model’s provider is reached. Pipeline paused.',
  paused: 'Somebody paused the pipeline.',
};

/** An interrupted pipeline can go on: why it was interrupted, and what there is to be done. */
export function InterruptedBanner({ status, runId }: { status: ChatStatus; runId: string }) {
  const { chatId, errorType, message } = status;
  const { act, busy, refused, forget } = useRunDeeds(chatId, runId);
  const lacking = useLacking();
  const under = (deed: typeof busy) =>
    busy !== undefined && busy !== deed ? 'something else is on its way' : undefined;
  const isCost = errorType === 'cost_limit';
  const dismiss = (
    <Button
      look="quiet"
      refusal={lacking('plan:approve') ?? under('dismiss')}
      busy={busy === 'dismiss'}
      onClick={() => void act('dismiss')}
    >
      Dismiss
    </Button>
  );
  return (
    <section className="interrupted" data-tone="orange" aria-label="Interrupted pipeline">
      <p className="interrupted-words" role="status">
        <Pause aria-hidden size={18} />
        <strong>{WORDS[errorType ?? 'paused']}</strong>
      </p>
      {message !== null && <p className="interrupted-more">{sentence(message)}</p>}
      {isCost ? (
        <RaiseLimit
          runId={runId}
          busy={busy === 'resume'}
          off={under('resume')}
          resume={() => void act('resume')}
          onSaved={forget}
        >
          {dismiss}
        </RaiseLimit>
      ) : (
        <div className="row">
          <Button
            look="amber"
            refusal={lacking('plan:create', 'plan:approve') ?? under('resume')}
            busy={busy === 'resume'}
            onClick={() => void act('resume')}
          >
            Resume
          </Button>
          <Button
            look="link"
            refusal={lacking('plan:create', 'plan:approve') ?? under('retry')}
            busy={busy === 'retry'}
            onClick={() => void act('retry')}
          >
            Retry from scratch
          </Button>
          {dismiss}
        </div>
      )}
      <Refused error={refused} />
    </section>
  );
}

interface RaiseLimitProps {
  runId: string;
  busy: boolean;
  off: string | undefined;
  resume: () => void;
  onSaved: () => void;
  /** The other buttons. */
  children: React.ReactNode;
}

/** First the limit is adjusted, then it goes on. */
function RaiseLimit({ runId, busy, off, resume, onSaved, children }: RaiseLimitProps) {
  const { data: plan } = useQuery(planQuery(runId));
  const [isOpen, setOpen] = useState(false);
  const panel = useId();
  const lacking = useLacking();
  const reached = plan && limitOf(plan);
  const isAdjusted = useAdjusted(runId, reached);
  return (
    <>
      <div className="row">
        <Button look="amber" aria-expanded={isOpen} aria-controls={panel} onClick={() => setOpen(!isOpen)}>
          Increase limit & resume
        </Button>
        {isAdjusted && (
          <Button look="green" refusal={lacking('plan:create', 'plan:approve') ?? off} busy={busy} onClick={resume}>
            Resume pipeline
          </Button>
        )}
        {children}
      </div>
      <div id={panel} hidden={!isOpen} className="interrupted-panel">
        {isOpen &&
          (reached ? (
            <LimitsPanel planId={runId} reached={reached} onSaved={onSaved} />
          ) : (
            <p className="muted">Reading the limits …</p>
          ))}
      </div>
    </>
  );
}
