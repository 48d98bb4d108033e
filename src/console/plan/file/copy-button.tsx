import { Check, Copy } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { useCopying } from '../../ui/copying.ts';

export function CopyButton({ text }: { text: string }) {
  const { isCopied, copy } = useCopying(text, 'Download the file instead.');
  const Icon = isCopied ? Check : Copy;
  return (
    <Button icon={<Icon aria-hidden size={16} />} onClick={() => void copy()}>
      <span aria-live="polite">{isCopied ? 'Copied' : 'Copy'}</span>
    </Button>
  );
}
