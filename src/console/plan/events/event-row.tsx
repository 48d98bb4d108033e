import { Fragment } from 'react';
import type { Event as PlanEvent } from '../../api/types.ts';
import { plainText } from '../../ui/plain-text.ts';
import { Clock } from '../../ui/times.tsx';
import { TaskLink } from '../task/task-link.tsx';
import { detailsOf, type Entry, EVENT_LOOKS, wordsOf } from './event-words.ts';

/** One event: when, what, whose, and what was said of it. */
export function EventRow({ entry }: { entry: Entry }) {
  const { icon: Icon, tone, lifecycle, hasMessage } = EVENT_LOOKS[entry.type];
  const event = entry.type === 'gap' || entry.type === 'PlanReset' ? undefined : entry;
  const message = hasMessage ? undefined : entry.message;
  const { comment } = detailsOf(event ?? {});
  return (
    <div className="event" data-tone={tone} data-lifecycle={lifecycle}>
      <span className="event-time">{'at' in entry && <Clock at={entry.at} />}</span>
      <Icon aria-hidden size={16} className="event-icon" />
      <div className="event-words">
        {event?.task !== undefined && (
          <>
            <TaskLink task={event.task} />{' '}
          </>
        )}
        <span className="event-what">{plainText(wordsOf(entry))}</span>
        {message !== undefined && <span className="event-message">{plainText(message)}</span>}
        {typeof comment === 'string' && <q className="event-message">{plainText(comment)}</q>}
        {event && <Ending event={event} />}
      </div>
    </div>
  );
}

/** What the last event of a run has: why, and how many tasks ended how. */
function Ending({ event: { error, totals } }: { event: PlanEvent }) {
  const counts = Object.entries(totals ?? {}).filter(([, count]) => count > 0);
  return (
    <>
      {error && (
        <span className="event-message event-error">
          {error.task !== undefined && `${error.task}: `}
          {plainText(error.message)} <code>{error.code}</code>
        </span>
      )}
      {counts.length > 0 && (
        <span className="event-message muted">
          Tasks:{' '}
          {counts.map(([status, count], i) => (
            <Fragment key={status}>
              {i > 0 && ', '}
              {count} {status.replace('_', ' ')}
            </Fragment>
          ))}
        </span>
      )}
    </>
  );
}
