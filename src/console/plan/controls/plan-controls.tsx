import { MessageSquarePlus } from 'lucide-react';
import { Fragment, useState } from 'react';
import type { Plan } from '../../api/types.ts';
import { Button } from '../../ui/button.tsx';
import { part } from '../../ui/part.tsx';
import { plainText } from '../../ui/plain-text.ts';
import { CommandDialog } from './command-dialog.tsx';
import { CONTROLS, type Control, type ControlName, controlsOf } from './controls.ts';
import type { NextRunKind } from './next-run/kinds.ts';
import { refusal } from './refusal.ts';
import { sendAndTell } from './send.ts';
import { useAbout } from './use-about.ts';
import { useKeptFocus } from './use-kept-focus.ts';
import './controls.css';

const NextRunDialog = part(() => import('./next-run/next-run-dialog.tsx'), null);
const NEXT_RUNS: Partial<Record<ControlName, NextRunKind>> = {
  resume_run: 'resume',
  retry_run: 'retry',
  edit_run: 'edit',
};

/** The buttons of a plan, by the table; and the dialogs behind them. */
export function PlanControls({ plan }: { plan: Plan }) {
  const about = useAbout(plan);
  const [open, setOpen] = useState<ControlName | 'pause_comment'>();
  const keepFocus = useKeptFocus<HTMLElement>();
  const close = () => setOpen(undefined);
  const send = (name: ControlName, comment?: string) => {
    const { deed, words } = CONTROLS[name];
    const body = comment === undefined ? {} : { comment };
    void sendAndTell({ planId: plan.plan_id, deed, words, method: 'PUT', path: `/${deed}`, body });
  };
  const press = (name: ControlName) => (name === 'stop' || NEXT_RUNS[name] ? setOpen(name) : send(name));
  const names = controlsOf(plan);
  const pause = names.find((name) => name === 'pause' || name === 'drain');
  const nextRun = open && open !== 'pause_comment' ? NEXT_RUNS[open] : undefined;
  return (
    <section className="plan-controls" aria-label="Controls" {...keepFocus}>
      {names.map((name) => {
        const { words, icon: Icon, look, deed, title }: Control = CONTROLS[name];
        const off = refusal(deed, about);
        const busy = about.underway.some(
          (each) => each.target === undefined && each.deed === deed && each.is === 'sent',
        );
        return (
          <Fragment key={name}>
            <Button
              look={look}
              icon={<Icon aria-hidden size={16} />}
              title={title}
              refusal={off}
              busy={busy}
              onClick={() => press(name)}
            >
              {words}
            </Button>
            {name === pause && (
              <Button
                look="quiet"
                icon={<MessageSquarePlus aria-hidden size={18} />}
                aria-label="Pause with a comment"
                title="Pause with a comment"
                refusal={off}
                onClick={() => setOpen('pause_comment')}
              />
            )}
          </Fragment>
        );
      })}
      {open === 'stop' && (
        <CommandDialog
          title={`Stop ${plainText(plan.name)}?`}
          description="For ever: this run does not go on. Commands that run get TERM, and KILL after 3 seconds. What is finished is kept, so that a next run can resume from it."
          words="Stop for ever"
          look="danger"
          refusal={refusal('stop', about)}
          onClose={close}
          onConfirm={(comment) => send('stop', comment)}
        />
      )}
      {open === 'pause_comment' && (
        <CommandDialog
          title={`Pause ${plainText(plan.name)}`}
          description="Nothing new starts until somebody resumes it. What runs finishes first, and clocks stand still."
          words="Pause"
          look="primary"
          refusal={refusal('pause', about)}
          onClose={close}
          onConfirm={(comment) => send(pause ?? 'pause', comment)}
        />
      )}
      {nextRun && <NextRunDialog plan={plan} kind={nextRun} onClose={close} />}
    </section>
  );
}
