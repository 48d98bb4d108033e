import { useMemo, useState } from 'react';
import { isTerminal } from '../../../plan/lifecycle.ts';
import type { Plan } from '../../api/types.ts';
import { readWholeStory } from '../../live/story.ts';
import { useStory } from '../../live/use-story.ts';
import { Button } from '../../ui/button.tsx';
import { useNow } from '../../ui/clock.ts';
import { Failure } from '../../ui/failure.tsx';
import { notifyError } from '../../ui/notices.tsx';
import { NO_TASKS } from '../graph/shown.ts';
import { useFrame } from '../graph/use-frame.ts';
import { useSelectedTask } from '../select-task.ts';
import { Chart, WORDS_PX } from './chart.tsx';
import { rangeOf } from './scale.ts';
import { pausesOf, rowsOf } from './spans.ts';
import { ZoomBar } from './zoom-bar.tsx';
import './gantt.css';

/** Below this width a row's name stands above its bars. */
const NARROW_PX = 640;
const NAMES_PX = 210;
const MOST_PX = 24_000;

/** When each task was at work, attempt by attempt, and when somebody was waited for. */
export default function GanttView({ plan }: { plan: Plan }) {
  const { data: story, error, refetch } = useStory(plan);
  const [selected, select] = useSelectedTask();
  const [zoom, setZoom] = useState(1);
  const [ref, frame] = useFrame();
  const now = useNow();
  const isLive = !isTerminal(plan.state.status);
  const deadline = plan.deadline_at === null ? undefined : Date.parse(plan.deadline_at);
  const entries = story?.entries;
  const rows = useMemo(() => rowsOf(plan.tasks, entries ?? []), [plan.tasks, entries]);
  const pauses = useMemo(() => pausesOf(entries ?? []), [entries]);
  // A paused plan goes on in time, too: how long it has been so is to be seen.
  const extents = useMemo(() => rows.flatMap(({ spans }) => spans), [rows]);
  // A clock that ticks once a second is behind what has just begun.
  const at = extents.reduce((latest, { from, to }) => Math.max(latest, to ?? from), now);
  const range = rangeOf(extents, at, { isLive, ...(deadline !== undefined && { deadline }) });
  const isNarrow = (frame?.width ?? 0) < NARROW_PX;
  const names = isNarrow ? 0 : NAMES_PX;
  const room = Math.max(200, (frame?.width ?? 800) - names - WORDS_PX - 16);
  const px = Math.min(MOST_PX, room * zoom);
  if (error && !story) return <Failure error={error} retry={() => void refetch()} />;
  return (
    <section aria-label="Timeline of the tasks">
      <ZoomBar
        zoom={zoom}
        most={MOST_PX / room}
        setZoom={setZoom}
        deadline={deadline !== undefined && deadline > range.to ? plan.deadline_at : null}
      />
      {story !== undefined && story.after > 0 && (
        <p className="row hint gantt-bar">
          Early attempts are not drawn: the last events of a long story are read first.
          <Button onClick={() => readWholeStory(plan.plan_id).catch(notifyError)}>Read all of it</Button>
        </p>
      )}
      <div ref={ref}>
        {rows.length === 0 ? (
          <p className="empty">{plan.tasks.length === 0 ? NO_TASKS : 'No task has begun yet.'}</p>
        ) : (
          frame && (
            <Chart
              {...{ rows, pauses, range, px, names, isNarrow, selected, select }}
              now={isLive ? at : undefined}
              deadline={deadline}
            />
          )
        )}
      </div>
    </section>
  );
}
