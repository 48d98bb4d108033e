import { type ReactNode, useId, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';

interface CommandDialogProps {
  title: string;
  description: ReactNode;
  words: string;
  look: 'primary' | 'danger';
  /** Why it can no longer be sent: the plan may have moved on while the dialog is open. */
  refusal: string | undefined;
  onClose: () => void;
  onConfirm: (comment: string | undefined) => void;
}

/** Asks before a command is sent, and for a comment on it. */
export function CommandDialog(props: CommandDialogProps) {
  const { title, description, words, look, refusal, onClose, onConfirm } = props;
  const [comment, setComment] = useState('');
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const confirm = () => {
    onConfirm(comment.trim() || undefined);
    onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      description={description}
      first={field}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look={look} refusal={refusal} onClick={confirm}>
            {words}
          </Button>
        </>
      }
    >
      <div className="field">
        <label htmlFor={id}>Comment (optional)</label>
        <textarea ref={field} id={id} value={comment} maxLength={10_000} onChange={(e) => setComment(e.target.value)} />
      </div>
      {refusal !== undefined && (
        <p className="field-error" role="alert">
          Not possible any more: {refusal}.
        </p>
      )}
    </Dialog>
  );
}
