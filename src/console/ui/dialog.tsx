import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, type RefObject, useRef } from 'react';

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  /** What the dialog is about, in a sentence; read out with the title. */
  description?: ReactNode;
  wide?: boolean;
  /** What has the focus when it opens; the first that can have it unless given. */
  first?: RefObject<HTMLElement | null>;
  children?: ReactNode;
  /** Buttons. */
  actions?: ReactNode;
}

/** A dialog that keeps the focus while it is open, and gives it back where it was. */
export function Dialog({ open, onClose, title, description, wide, first, children, actions }: DialogProps) {
  const opener = useRef<Element | null>(null);
  const giveBack = (event: Event) => {
    event.preventDefault();
    // The button may have made way for another meanwhile.
    const to = opener.current?.isConnected ? opener.current : document.getElementById('main');
    if (to instanceof HTMLElement) to.focus({ preventScroll: true });
  };
  return (
    <Radix.Root open={open} onOpenChange={(is) => !is && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="overlay" />
        <Radix.Content
          className="dialog"
          data-wide={wide || undefined}
          onOpenAutoFocus={(event) => {
            opener.current = document.activeElement;
            if (!first?.current) return;
            event.preventDefault();
            first.current.focus();
          }}
          onCloseAutoFocus={giveBack}
          {...(description === undefined && { 'aria-describedby': undefined })}
        >
          <header className="dialog-head">
            <Radix.Title className="dialog-title">{title}</Radix.Title>
            <Radix.Close className="button" data-look="quiet" aria-label="Close">
              <X aria-hidden size={18} />
            </Radix.Close>
          </header>
          {description !== undefined && (
            <Radix.Description asChild>
              <div className="dialog-description">{description}</div>
            </Radix.Description>
          )}
          {children}
          {actions && <footer className="dialog-actions">{actions}</footer>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
