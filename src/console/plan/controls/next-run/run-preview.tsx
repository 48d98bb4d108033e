import { Check, Play } from 'lucide-react';
import type { RunPreview as Preview } from '../../../api/types.ts';

/** Longer lists are for the command line. */
const SHOWN = 500;

const LISTS = [
  { key: 'run', words: 'Runs', none: 'Nothing runs again.', icon: Play, tone: 'blue' },
  { key: 'reuse', words: 'Is kept', none: 'Nothing is kept.', icon: Check, tone: 'teal' },
] as const;

/** What a next run would do: which tasks run and which are kept, and why. */
export function RunPreview({ preview, isOld }: { preview: Preview; isOld: boolean }) {
  return (
    <div className="run-preview" data-old={isOld || undefined} aria-busy={isOld}>
      {LISTS.map(({ key, words, none, icon: Icon, tone }) => {
        const ids = preview[key];
        return (
          <section key={key} aria-label={words}>
            <h3 className="run-preview-head" data-tone={tone}>
              <Icon aria-hidden size={15} /> {words} <span className="muted">({ids.length})</span>
            </h3>
            {ids.length === 0 && <p className="muted">{none}</p>}
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is to be scrolled by keyboard, too. */}
            <ul className="run-preview-list" tabIndex={0} aria-label={words}>
              {ids.slice(0, SHOWN).map((id) => (
                <li key={id}>
                  <code>{id}</code> <span className="muted">{preview.reasons[id]}</span>
                </li>
              ))}
              {ids.length > SHOWN && <li className="muted">and {ids.length - SHOWN} more</li>}
            </ul>
          </section>
        );
      })}
    </div>
  );
}
