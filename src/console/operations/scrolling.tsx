import type { ReactNode } from 'react';
import { plainText } from '../ui/plain-text.ts';

interface ScrollingProps {
  label: string;
  className?: string;
  busy?: boolean | undefined;
  children: ReactNode;
}

/** What scrolls has a name, and is reached by keyboard. */
export function Scrolling({ label, className = '', busy, children }: ScrollingProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: that is how a keyboard scrolls it.
    <section className={`scroll ${className}`} aria-label={label} aria-busy={busy || undefined} tabIndex={0}>
      {children}
    </section>
  );
}

/** Text as it is, whatever it says. */
export const TextBlock = ({ label, className = '', text }: { label: string; className?: string; text: string }) => (
  <Scrolling label={label} className={`text-block ${className}`}>
    <pre>{plainText(text)}</pre>
  </Scrolling>
);
