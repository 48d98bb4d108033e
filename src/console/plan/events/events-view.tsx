import { ArrowDownWideNarrow, ChevronDown, ChevronRight } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { Plan } from '../../api/types.ts';
import { lastSeq, readWholeStory, type Story } from '../../live/story.ts';
import { useStory } from '../../live/use-story.ts';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { notifyError } from '../../ui/notices.tsx';
import { useSelectedTask } from '../select-task.ts';
import { EventList } from './event-list.tsx';
import { type Entry, isLifecycle, wordsOf } from './event-words.ts';
import { groupsOf, type RunGroup } from './groups.ts';
import './events.css';

type Filter = 'all' | 'lifecycle' | 'task';

/** What happened to the plan, run by run, the newest on top: it is what one looks for first. */
export default function EventsView({ plan }: { plan: Plan }) {
  const { data: story, error, refetch } = useStory(plan);
  const [filter, setFilter] = useState<Filter>('all');
  const [task] = useSelectedTask();
  const shown = filter === 'task' && task === undefined ? 'all' : filter;
  const groups = useMemo(
    () => groupsOf(story?.entries.filter((entry) => isShown(entry, shown, task)) ?? [], plan.run),
    [story, shown, task, plan.run],
  );
  if (error && !story) return <Failure error={error} retry={() => void refetch()} />;
  if (!story) return <p className="muted">Reading what happened …</p>;
  return (
    <section className="stack" aria-label="Events">
      <div className="row">
        <label htmlFor="event-filter">Show</label>
        <select
          id="event-filter"
          className="event-filter"
          value={shown}
          onChange={({ target }) => setFilter(target.value as Filter)}
        >
          <option value="all">All events</option>
          <option value="lifecycle">Lifecycle only</option>
          {task !== undefined && <option value="task">Only of {task}</option>}
        </select>
        <span className="hint event-order">
          <ArrowDownWideNarrow aria-hidden size={16} /> Newest first
        </span>
      </div>
      <NewsForAll story={story} />
      {groups.length === 0 && (
        <p className="empty">{shown === 'task' ? `Nothing happened to ${task} yet.` : 'Nothing happened yet.'}</p>
      )}
      {groups.map((group, i) => (
        <RunEvents key={group.run} group={group} isNewest={i === 0} />
      ))}
      {story.after > 0 && <Earlier planId={plan.plan_id} count={story.after} />}
    </section>
  );
}

function isShown(entry: Entry, filter: Filter, task: string | undefined): boolean {
  if (filter === 'lifecycle') return isLifecycle(entry);
  if (filter === 'task') return 'task' in entry && entry.task === task;
  return true;
}

function RunEvents({ group: { run, entries }, isNewest }: { group: RunGroup; isNewest: boolean }) {
  // Whoever has not said otherwise sees the newest run alone, also when there is another newest.
  const [chosen, setChosen] = useState<boolean>();
  const isOpen = chosen ?? isNewest;
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <section className="event-run">
      <h2>
        <button
          type="button"
          className="button"
          data-look="quiet"
          aria-expanded={isOpen}
          onClick={() => setChosen(!isOpen)}
        >
          <Chevron aria-hidden size={16} /> Run {run}
          <span className="muted">
            {entries.length} {entries.length === 1 ? 'event' : 'events'}
          </span>
        </button>
      </h2>
      {isOpen && <EventList entries={entries} label={`Events of run ${run}`} />}
    </section>
  );
}

function Earlier({ planId, count }: { planId: string; count: number }) {
  const [busy, setBusy] = useState(false);
  const read = () => {
    setBusy(true);
    readWholeStory(planId)
      .catch(notifyError)
      .finally(() => setBusy(false));
  };
  return (
    <div>
      <Button busy={busy} onClick={read}>
        Show all {count.toLocaleString()} earlier
      </Button>
    </div>
  );
}

/** Tells what becomes of the plan as a whole to those who do not see it; of tasks there may be too many. */
function NewsForAll({ story }: { story: Story }) {
  const [since] = useState(() => lastSeq(story));
  const last = story.entries.findLast((entry) => 'seq' in entry && entry.seq > since && isLifecycle(entry));
  return (
    <p className="visually-hidden" role="status">
      {last && wordsOf(last)}
    </p>
  );
}
