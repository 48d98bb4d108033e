import { useId, useState } from 'react';
import type { Draft } from './draft.ts';

interface StartOptionsProps {
  draft: Draft;
  onChange: (change: Partial<Draft>) => void;
}

/** How it is started; what is left alone is as the file says. */
export function StartOptions({ draft, onChange }: StartOptionsProps) {
  const id = useId();
  const { review, startAt, enrollmentKey, enrollmentPolicy } = draft;
  // What a draft brings along is seen; afterwards whoever opens or closes it decides.
  const [isOpen] = useState(review || startAt !== '' || enrollmentKey !== '');
  const isPast = startAt !== '' && Date.parse(startAt) < Date.now();
  return (
    <details className="card start-options" open={isOpen}>
      <summary>How it is started</summary>
      <div className="stack">
        <label className="row">
          <input type="checkbox" checked={review} onChange={({ target }) => onChange({ review: target.checked })} />
          Somebody has to approve it before anything runs
        </label>
        <div className="field">
          <label htmlFor={`${id}-at`}>Not before</label>
          <input
            id={`${id}-at`}
            type="datetime-local"
            value={startAt}
            aria-describedby={`${id}-at-hint`}
            onChange={({ target }) => onChange({ startAt: target.value })}
          />
          <p id={`${id}-at-hint`} className="hint">
            {isPast ? 'This has passed: it starts at once.' : 'In the time of this machine. Empty: it starts at once.'}
          </p>
        </div>
        <div className="field">
          <label htmlFor={`${id}-key`}>Enrollment key</label>
          <input
            id={`${id}-key`}
            value={enrollmentKey}
            maxLength={200}
            autoComplete="off"
            aria-describedby={`${id}-key-hint`}
            onChange={({ target }) => onChange({ enrollmentKey: target.value })}
          />
          <p id={`${id}-key-hint`} className="hint">
            Plans of one key are kept apart: for ever one of them, or one at a time.
          </p>
        </div>
        {enrollmentKey.trim() !== '' && (
          <div className="field">
            <label htmlFor={`${id}-policy`}>Of this key</label>
            <select
              id={`${id}-policy`}
              value={enrollmentPolicy}
              onChange={({ target }) => onChange({ enrollmentPolicy: target.value as Draft['enrollmentPolicy'] })}
            >
              <option value="once">One plan for ever</option>
              <option value="multiple">One plan at a time</option>
            </select>
          </div>
        )}
      </div>
    </details>
  );
}
