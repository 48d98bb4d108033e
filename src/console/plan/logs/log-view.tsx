import { ArrowDownToLine, Download, WrapText } from 'lucide-react';
import { useMemo, useState } from 'react';
import { addressOf, taskPath } from '../../api/client.ts';
import type { Plan } from '../../api/types.ts';
import { Failure } from '../../ui/failure.tsx';
import { find } from './find.ts';
import { size } from './log-buffer.ts';
import { LogLines } from './log-lines.tsx';
import { LogSearch } from './log-search.tsx';
import { type LiveLog, type LogChoice, useLog } from './use-log.ts';

interface LogViewProps {
  plan: Plan;
  task: string;
  choice: LogChoice;
  /** The task has written nothing yet. */
  isNone: boolean;
}

/** One log, which grows while it is looked at. */
export function LogView({ plan, task, choice, isNone }: LogViewProps) {
  const log = useLog(plan.plan_id, task, choice);
  const { buffer, version } = log;
  const [follow, setFollow] = useState(true);
  const [wrap, setWrap] = useState(true);
  const [text, setText] = useState('');
  const [current, setCurrent] = useState(0);
  const found = useMemo(() => find(buffer.lines, text), [buffer, version, text]);
  if (log.error) return <Failure error={log.error} />;
  const { run, attempt, dispatch } = choice;
  const look = (at: number) => {
    setFollow(false);
    setCurrent(at);
  };
  return (
    <>
      <div className="row log-tools">
        <LogSearch
          text={text}
          onText={(next) => {
            setText(next);
            look(0);
          }}
          count={found.length}
          isWhole={buffer.skipped === 0 && buffer.first === 0}
          current={Math.min(current, Math.max(0, found.length - 1))}
          onCurrent={look}
        />
        <button type="button" className="button" aria-pressed={follow} onClick={() => setFollow(!follow)}>
          <ArrowDownToLine aria-hidden size={16} /> Follow
        </button>
        <button type="button" className="button" aria-pressed={wrap} onClick={() => setWrap(!wrap)}>
          <WrapText aria-hidden size={16} /> Wrap
        </button>
        {!isNone && (
          <a
            className="button"
            href={addressOf(taskPath(plan.plan_id, task, '/logs'), { run, attempt, dispatch })}
            download={`${task.replaceAll(/[^\w.-]+/g, '-')}-${run}.${attempt ?? 'last'}.log`}
          >
            <Download aria-hidden size={16} /> Download
          </a>
        )}
      </div>
      <LeftOut log={log} />
      {buffer.lines.length === 0 ? (
        <p className="empty">{NOTHING[log.is](task)}</p>
      ) : (
        <LogLines
          buffer={buffer}
          version={version}
          label={`Log of ${task}`}
          wrap={wrap}
          follow={follow}
          onFollow={setFollow}
          found={found}
          current={current}
        />
      )}
      <p className="hint" role="status">
        {log.is === 'live' && 'Live: what is written appears here.'}
        {log.is === 'ended' && buffer.lines.length > 0 && 'This is the end: nothing more comes in this run.'}
      </p>
    </>
  );
}

const NOTHING: Record<LiveLog['is'], (task: string) => string> = {
  opening: () => 'Reading the log …',
  live: (task) => `${task} has written nothing yet.`,
  ended: (task) => `${task} wrote nothing.`,
};

/** Says what of the log is not shown, which a download has. */
function LeftOut({ log: { buffer } }: { log: LiveLog }) {
  const { skipped, first } = buffer;
  if (skipped === 0 && first === 0) return null;
  return (
    <p className="hint">
      The log is long:{' '}
      {[
        ...(skipped > 0 ? [`its first ${size(skipped)}`] : []),
        ...(first > 0 ? [`${first.toLocaleString()} earlier lines`] : []),
      ].join(' and ')}{' '}
      are not shown. Download it to have it whole.
    </p>
  );
}
