import { Check, Copy } from 'lucide-react';
import { useCopying } from '../../ui/copying.ts';

/** The first part of a plan's id, which is enough for the command line, and a button that copies all of it. */
export function CopyId({ id }: { id: string }) {
  const { isCopied, copy } = useCopying(id, `The id is ${id}`);
  return (
    <span className="copy-id">
      <code title={id}>{id.slice(0, 8)}</code>
      <button type="button" className="icon-button" aria-label="Copy the plan’s id" title={`Copy ${id}`} onClick={copy}>
        {isCopied ? <Check aria-hidden size={14} /> : <Copy aria-hidden size={14} />}
      </button>
      <span className="visually-hidden" role="status">
        {isCopied && 'Copied'}
      </span>
    </span>
  );
}
