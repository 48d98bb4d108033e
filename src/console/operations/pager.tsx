import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Button } from '../ui/button.tsx';

interface PagerProps {
  offset: number;
  /** Rows that are shown. */
  count: number;
  kept: number;
  /** Rows of a page. */
  page: number;
  go: (offset: number) => void;
}

/** Which rows are shown of how many, and the way to others. */
export function Pager({ offset, count, kept, page, go }: PagerProps) {
  if (offset === 0 && count >= kept) return null;
  const amount = (n: number) => n.toLocaleString('en');
  const after = offset + count;
  return (
    <nav className="pager" aria-label="Pages of rows">
      <Button
        icon={<ChevronLeft aria-hidden size={16} />}
        refusal={offset === 0 ? 'these are the first' : undefined}
        onClick={() => go(Math.max(0, offset - page))}
      >
        Previous
      </Button>
      <span aria-live="polite">
        {count === 0 ? 'none here' : `${amount(offset + 1)}–${amount(after)}`} of {amount(kept)}
      </span>
      <Button refusal={after >= kept || count === 0 ? 'these are the last' : undefined} onClick={() => go(after)}>
        Next <ChevronRight aria-hidden size={16} />
      </Button>
    </nav>
  );
}
