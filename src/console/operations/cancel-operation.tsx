import { Ban } from 'lucide-react';
import { useState } from 'react';
import { call } from '../api/client.ts';
import { useLacking } from '../chats/may.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { notifyError } from '../ui/notices.tsx';
import { operationPath, type SessionPlace, surfaceIn } from './places.ts';
import { isRunning, type OperationView, readOperationsAgain } from './queries.ts';

/** A button that asks first: what is cancelled does not go on. */
export function CancelOperation({ place, operation }: { place: SessionPlace; operation: OperationView }) {
  const { handle } = operation;
  const [isOpen, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const lacking = useLacking();
  const off = lacking('plan:approve') ?? (isRunning(operation) ? undefined : 'it has ended');
  const cancel = async () => {
    setOpen(false);
    setBusy(true);
    try {
      await call('POST', operationPath(place, handle, '/cancel'), { query: surfaceIn(place) });
    } catch (error) {
      notifyError(error);
    } finally {
      // Also when it was refused: it may have ended by itself.
      await readOperationsAgain(place).catch(() => {});
      setBusy(false);
    }
  };
  return (
    <>
      <Button icon={<Ban aria-hidden size={16} />} refusal={off} busy={busy} onClick={() => setOpen(true)}>
        Cancel<span className="visually-hidden"> {handle}</span>
      </Button>
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title={`Cancel ${handle}?`}
        description="No more is read then, and it does not go on. The rows that it has kept stay."
        actions={
          <>
            <Button onClick={() => setOpen(false)}>Let it run</Button>
            <Button look="danger" refusal={off} onClick={() => void cancel()}>
              Cancel the operation
            </Button>
          </>
        }
      />
    </>
  );
}
