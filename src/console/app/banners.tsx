import { useQuery } from '@tanstack/react-query';
import { CloudOff, ServerOff } from 'lucide-react';
import { answer } from '../api/client.ts';
import { useLostSince } from '../live/connection.ts';
import { useNow } from '../ui/clock.ts';
import { Clock } from '../ui/times.tsx';

/** Shorter losses are mended before anybody has read of them. */
const TOLERATED_MS = 2_000;
const LOOK_MS = 5_000;

/** Says when what is shown may be old, and when nobody works. */
export function Banners() {
  const lostSince = useLostSince();
  const now = useNow();
  const isLost = lostSince !== undefined && now - lostSince > TOLERATED_MS;
  const ready = useQuery({
    queryKey: ['ready'],
    queryFn: ({ signal }) => answer('GET', 'readyz', { signal }).then(() => true),
    refetchInterval: LOOK_MS,
    retry: false,
  });
  const noWorker = !isLost && ready.error !== null && 'status' in ready.error && ready.error.status === 503;
  return (
    <div aria-live="polite">
      {isLost && (
        <div className="banner" data-tone="orange">
          <CloudOff aria-hidden size={18} />
          <span>
            No connection to Holdpoint since <Clock at={new Date(lostSince).toISOString()} />. What you see is how it
            was then; trying again.
          </span>
        </div>
      )}
      {noWorker && (
        <div className="banner" data-tone="red">
          <ServerOff aria-hidden size={18} />
          <span>
            No worker answers: nothing runs just now. What you see is the last known state; commands are kept until a
            worker is back.
          </span>
        </div>
      )}
    </div>
  );
}
