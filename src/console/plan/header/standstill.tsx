import { ServerOff } from 'lucide-react';
import type { Plan } from '../../api/types.ts';
import { plainText } from '../../ui/plain-text.ts';
import { Ago } from '../../ui/times.tsx';

/** Says, in the words of the API, that the plan itself could not be asked, or cannot go on. */
export function Standstill({ plan: { stuck, freshness } }: { plan: Plan }) {
  const words = stuck === undefined ? (freshness.live ? undefined : freshness.message) : `Stuck: ${plainText(stuck)}`;
  if (words === undefined) return null;
  return (
    <div className="banner plan-standstill" data-tone={stuck === undefined ? 'orange' : 'red'} role="status">
      <ServerOff aria-hidden size={18} />
      <span>
        {words}{' '}
        <span className="nowrap">
          (
          {'as_of' in freshness ? (
            <>
              as of <Ago at={String(freshness.as_of)} />
            </>
          ) : (
            <>
              read <Ago at={freshness.at} />
            </>
          )}
          )
        </span>
      </span>
    </div>
  );
}
