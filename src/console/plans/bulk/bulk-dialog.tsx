import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import type { Row } from '../merge.ts';
import { plans, Reasons } from './reasons.tsx';
import { type Bulk, useBulk } from './use-bulk.ts';
import { byReason } from './verdict.ts';
import { BULK_WORDS, type BulkAction } from './words.ts';

interface BulkDialogProps {
  action: BulkAction;
  rows: Row[];
  /** With the plans for which it failed, once it was done. */
  onClose: (failed?: string[]) => void;
}

/** Says what a command would do to the selected plans before it is sent, and what came of it for each. */
export function BulkDialog({ action, rows, onClose }: BulkDialogProps) {
  const { words, means, look, icon: Icon } = BULK_WORDS[action];
  const bulk = useBulk(action, rows);
  const { phase, verdicts, outcomes } = bulk;
  const ready = verdicts.filter(({ is }) => is === 'ready' || is === 'later').length;
  const failed = outcomes.filter(({ is }) => is === 'failed');
  const close = () => {
    if (phase === 'sending') return bulk.end();
    onClose(phase === 'over' ? failed.map(({ row }) => row.plan_id) : undefined);
  };
  return (
    <Dialog
      open
      onClose={close}
      title={`${words} ${plans(rows.length)}`}
      description={means}
      actions={
        phase === 'over' ? (
          <Button look="primary" onClick={close}>
            Close
          </Button>
        ) : (
          <>
            <Button onClick={close}>{phase === 'sending' ? 'Send no more' : 'Cancel'}</Button>
            <Button
              look={look}
              icon={<Icon aria-hidden size={16} />}
              busy={phase === 'sending'}
              refusal={refusalOf(phase, ready)}
              onClick={bulk.send}
            >
              {phase === 'reading' ? words : `${words} ${plans(ready)}`}
            </Button>
          </>
        )
      }
    >
      <div className="bulk-report" role="status">
        {phase === 'reading' && <Counter words="How they stand is read" is={verdicts.length} of={rows.length} />}
        {phase === 'asking' && <Preview action={action} {...bulk} />}
        {phase === 'sending' && <Counter words="Sent" is={outcomes.length} of={ready} />}
        {phase === 'over' && <Result action={action} {...bulk} ready={ready} />}
      </div>
    </Dialog>
  );
}

function refusalOf(phase: Bulk['phase'], ready: number): string | undefined {
  if (phase === 'reading') return 'How the plans stand is still being read.';
  return phase === 'asking' && ready === 0 ? 'It is possible for none of them.' : undefined;
}

function Preview({ action, verdicts }: { action: BulkAction } & Bulk) {
  const { will } = BULK_WORDS[action];
  const count = (kind: string) => verdicts.filter(({ is }) => is === kind).length;
  const refused = verdicts.length - count('ready') - count('later');
  return (
    <>
      {count('ready') > 0 && (
        <p>
          <strong>{plans(count('ready'))}</strong> {will}.
        </p>
      )}
      {count('later') > 0 && (
        <p>
          <strong>{plans(count('later'))}</strong> {will} once the tasks that run have ended.
        </p>
      )}
      {refused > 0 && (
        <>
          <p>
            <strong>{plans(refused)}</strong> cannot be {BULK_WORDS[action].done}:
          </p>
          <Reasons of={byReason(verdicts)} />
        </>
      )}
    </>
  );
}

function Result({ action, outcomes, ready }: { action: BulkAction; ready: number } & Bulk) {
  const { done, will } = BULK_WORDS[action];
  const of = (kind: string) => outcomes.filter(({ is }) => is === kind);
  const failed = of('failed');
  const unsent = ready - outcomes.length;
  return (
    <>
      {of('done').length > 0 && (
        <p>
          <strong>{plans(of('done').length)}</strong> {done}.
        </p>
      )}
      {of('accepted').length > 0 && (
        <p>
          <strong>{plans(of('accepted').length)}</strong> {will} once what runs has ended, or a worker is there.
        </p>
      )}
      {unsent > 0 && (
        <p>
          <strong>{plans(unsent)}</strong> left as they were: it was not sent to them.
        </p>
      )}
      {failed.length > 0 && (
        <>
          <p className="bulk-failed">
            <strong>{plans(failed.length)}</strong> not {done}:
          </p>
          <Reasons of={byReason(failed.map(({ row, why = '' }) => ({ row, is: 'unread', why })))} />
        </>
      )}
    </>
  );
}

const Counter = ({ words, is, of }: { words: string; is: number; of: number }) => (
  <>
    <p>
      {words}: {is} of {of}
    </p>
    <progress value={is} max={of} aria-label={words} />
  </>
);
