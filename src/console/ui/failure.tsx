import { CircleAlert } from 'lucide-react';
import { Problem } from '../api/client.ts';
import { Button } from './button.tsx';
import { plainText } from './plain-text.ts';

/** In place of what could not be read: why, and a way to try again. */
export function Failure({ error, retry }: { error: unknown; retry?: () => void }) {
  const code = error instanceof Problem ? error.code : undefined;
  return (
    <div className="empty" role="alert">
      <CircleAlert aria-hidden size={28} />
      <p>{plainText(error instanceof Error ? error.message : String(error))}</p>
      {code && <code>{code}</code>}
      {retry && <Button onClick={retry}>Try again</Button>}
    </div>
  );
}
