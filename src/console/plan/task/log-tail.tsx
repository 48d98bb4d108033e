import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment, useMemo } from 'react';
import { answer, taskPath } from '../../api/client.ts';
import type { Plan, Task } from '../../api/types.ts';
import { ansiReader } from '../logs/ansi.ts';
import { attemptsQuery } from '../logs/attempts-query.ts';
import { LineText } from '../logs/line-text.tsx';
import '../logs/logs.css';

const LINES = 12;
const LONGEST = 2_000;
const LOOK_MS = 1_500;

/** The last lines that a task wrote; the Logs tab has them all. */
export function LogTail({ plan, task }: { plan: Plan; task: Task }) {
  const { data: logs } = useQuery(attemptsQuery(plan, task.id));
  const hasLog = logs !== undefined && logs.length > 0;
  const isAtWork = task.status === 'running';
  const { data: text } = useQuery({
    queryKey: ['log-tail', plan.plan_id, task.id, logs],
    queryFn: ({ signal }) =>
      answer('GET', taskPath(plan.plan_id, task.id, '/logs'), {
        query: { tail: LINES },
        accept: 'text/plain',
        signal,
      }).then((it) => it.text()),
    enabled: hasLog || isAtWork,
    placeholderData: (old, query) => (query?.queryKey[2] === task.id ? old : undefined),
    refetchInterval: isAtWork ? LOOK_MS : false,
  });
  const lines = useMemo(() => linesOf(text ?? ''), [text]);
  if (lines.length === 0) return null;
  return (
    <section>
      <h3>The last it wrote</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard. */}
      <pre className="block" tabIndex={0}>
        {lines.map((line, i) => (
          <Fragment key={i}>
            <LineText line={line} />
            {'\n'}
          </Fragment>
        ))}
      </pre>
      <Link
        from="/plans/$planId"
        to="/plans/$planId"
        search={{ view: 'logs', task: task.id }}
        replace
        resetScroll={false}
        className="task-link"
      >
        The whole log
      </Link>
    </section>
  );
}

function linesOf(text: string) {
  const read = ansiReader();
  const lines = text.replace(/\n$/, '').split('\n');
  return text === '' ? [] : lines.map((line) => read(line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line));
}
