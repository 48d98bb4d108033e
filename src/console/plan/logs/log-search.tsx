import { ChevronDown, ChevronUp } from 'lucide-react';
import { MOST_FOUND } from './find.ts';

interface LogSearchProps {
  text: string;
  onText: (text: string) => void;
  count: number;
  /** Nothing of the log is left out of what is searched. */
  isWhole: boolean;
  current: number;
  onCurrent: (current: number) => void;
}

/** Searches what is shown: Enter goes to the next place, Shift+Enter to the one before. */
export function LogSearch({ text, onText, count, isWhole, current, onCurrent }: LogSearchProps) {
  const go = (by: number) => count > 0 && onCurrent((current + by + count) % count);
  return (
    <search className="log-search">
      <input
        type="search"
        aria-label="Search the log"
        placeholder="Search"
        value={text}
        onChange={({ target }) => onText(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          go(event.shiftKey ? -1 : 1);
        }}
      />
      <span className="log-count" role="status">
        {text !== '' &&
          (count === 0
            ? isWhole
              ? 'None'
              : 'None in the lines shown'
            : `${current + 1} of ${count >= MOST_FOUND ? `${count}+` : count}`)}
      </span>
      <button
        type="button"
        className="button"
        data-look="quiet"
        aria-label="The place before"
        title="The place before (Shift+Enter)"
        onClick={() => go(-1)}
      >
        <ChevronUp aria-hidden size={18} />
      </button>
      <button
        type="button"
        className="button"
        data-look="quiet"
        aria-label="The next place"
        title="The next place (Enter)"
        onClick={() => go(1)}
      >
        <ChevronDown aria-hidden size={18} />
      </button>
    </search>
  );
}
