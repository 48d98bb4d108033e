import { X } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import type { Tone } from './badges.ts';
import { plainText } from './plain-text.ts';

interface Notice {
  id: number;
  text: string;
  tone: Tone;
}

const SHOWN_MS = 8_000;
let notices: readonly Notice[] = [];
let last = 0;
const listeners = new Set<() => void>();

function change(to: readonly Notice[]): void {
  notices = to;
  for (const listener of listeners) listener();
}

/** Says something in a corner, for a while; what went wrong stays until it is put away. */
export function notify(text: string, tone: Tone = 'gray'): void {
  last += 1;
  const id = last;
  change([...notices.filter((notice) => notice.text !== text), { id, text, tone }].slice(-5));
  if (tone !== 'red') setTimeout(() => dismiss(id), SHOWN_MS);
}

const dismiss = (id: number): void => change(notices.filter((notice) => notice.id !== id));

export const notifyError = (error: unknown): void =>
  notify(error instanceof Error ? error.message : String(error), 'red');

export function Notices() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => notices,
  );
  return (
    <section className="notices" aria-label="Notices" aria-live="polite">
      {shown.map(({ id, text, tone }) => (
        <div key={id} className="notice" data-tone={tone}>
          <span>{plainText(text)}</span>
          <button type="button" className="button" data-look="quiet" aria-label="Put away" onClick={() => dismiss(id)}>
            <X aria-hidden size={16} />
          </button>
        </div>
      ))}
    </section>
  );
}
