import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { notify } from '../../ui/notices.tsx';

const SHOWN_MS = 1_500;

export function CopyButton({ text }: { text: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      setTimeout(() => setCopied(false), SHOWN_MS);
    } catch {
      // A page that is not served over TLS may not write there.
      notify('The browser does not let this page copy. Download the file instead.', 'orange');
    }
  };
  const Icon = isCopied ? Check : Copy;
  return (
    <Button icon={<Icon aria-hidden size={16} />} onClick={() => void copy()}>
      <span aria-live="polite">{isCopied ? 'Copied' : 'Copy'}</span>
    </Button>
  );
}
