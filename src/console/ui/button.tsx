import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { useId } from 'react';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: 'plain' | 'primary' | 'danger' | 'quiet' | 'amber' | 'green' | 'link';
  icon?: ReactNode;
  /** Why it cannot be pressed now: it stays reachable by keyboard, and says so. */
  refusal?: string | undefined;
  /** What it asks for is on its way. */
  busy?: boolean;
}

/** A button; one that cannot be pressed now says why, to all, instead of being gone. */
export function Button({ look = 'plain', icon, refusal, busy, children, onClick, ...rest }: ButtonProps) {
  const why = useId();
  const isOff = refusal !== undefined || busy === true;
  return (
    <>
      <button
        type="button"
        {...rest}
        className={`button ${rest.className ?? ''}`}
        data-look={look}
        aria-disabled={isOff || undefined}
        aria-busy={busy || undefined}
        aria-describedby={refusal === undefined ? rest['aria-describedby'] : why}
        title={refusal ?? rest.title}
        onClick={isOff ? (event) => event.preventDefault() : onClick}
      >
        {icon}
        {children}
      </button>
      {refusal !== undefined && (
        <span id={why} hidden>
          {refusal}
        </span>
      )}
    </>
  );
}
