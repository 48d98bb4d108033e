import { useState } from 'react';
import { notify } from './notices.tsx';

const SHOWN_MS = 1_500;

/** Puts a text on the clipboard, and for a moment says that it is there; `otherwise`: what to do where the browser refuses. */
export function useCopying(text: string, otherwise: string) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      setTimeout(() => setCopied(false), SHOWN_MS);
    } catch {
      // A page that is not served over TLS may not write there.
      notify(`The browser does not let this page copy. ${otherwise}`, 'orange');
    }
  };
  return { isCopied, copy };
}
