import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { notify } from '../../ui/notices.tsx';

const SHOWN_MS = 1_500;

/** The first part of a plan's id, which is enough for the command line, and a button that copies all of it. */
export function CopyId({ id }: { id: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(id);
      setCopied(true);
      setTimeout(() => setCopied(false), SHOWN_MS);
    } catch {
      // A page that is not served over TLS may not write there.
      notify(`The browser does not let this page copy. The id is ${id}`, 'orange');
    }
  };
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
