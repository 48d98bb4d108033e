import { Link } from '@tanstack/react-router';
import { type ChangeEvent, memo } from 'react';
import { PlanBadge } from '../ui/badge.tsx';
import { plainText } from '../ui/plain-text.ts';
import { Ago } from '../ui/times.tsx';
import { Doing } from './doing.tsx';
import type { Row } from './merge.ts';
import { usePresent } from './use-present.ts';

const MOST_LABELS = 2;

interface PlanRowProps {
  row: Row;
  /** Its place in the list, from 0. */
  index: number;
  /** Where it is drawn, in px from the first row. */
  start: number;
  watched: boolean;
  selected: boolean;
  isMine: boolean;
  onSelect: (planId: string, is: boolean, toHere: boolean) => void;
  onLabel: (label: string) => void;
  measure: (element: HTMLElement | null) => void;
}

/** One plan of the list; on narrow screens a card. */
export const PlanRow = memo(function PlanRow(props: PlanRowProps) {
  const { row, index, start, watched, selected, isMine, onSelect, onLabel, measure } = props;
  const { plan_id, created_at, ended_at, labels = {} } = row;
  const [name, owner] = [plainText(row.name), plainText(row.owner)];
  const given = Object.entries(labels);
  const present = usePresent(row, watched);
  const select = ({ target, nativeEvent }: ChangeEvent<HTMLInputElement>) =>
    onSelect(plan_id, target.checked, 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true);
  return (
    // The row of the heading is the first.
    <tr
      ref={measure}
      className="plan-row"
      aria-rowindex={index + 2}
      data-index={index}
      data-plan={plan_id}
      data-ended={ended_at !== null || undefined}
      data-selected={selected || undefined}
      style={{ transform: `translateY(${start}px)` }}
    >
      <td className="plan-check">
        <label>
          <input type="checkbox" aria-label={`Select ${name} ${short(plan_id)}`} checked={selected} onChange={select} />
        </label>
      </td>
      <th scope="row" className="plan-name">
        <Link to="/plans/$planId" params={{ planId: plan_id }} className="plan-link cut" title={name} preload={false}>
          {name}
        </Link>
        <span className="plan-marks">
          <code className="muted" title={plan_id}>
            {short(plan_id)}
          </code>
          {given.slice(0, MOST_LABELS).map(([key, value]) => (
            <button
              key={key}
              type="button"
              className="plan-label cut"
              title={`Only plans with the label ${plainText(`${key}=${value}`)}`}
              onClick={() => onLabel(`${key}=${value}`)}
            >
              {plainText(`${key}=${value}`)}
            </button>
          ))}
          {given.length > MOST_LABELS && (
            <span className="plan-more-labels muted" title={given.map((each) => plainText(each.join('='))).join('\n')}>
              +{given.length - MOST_LABELS}
            </span>
          )}
        </span>
      </th>
      <td className="plan-state">
        <PlanBadge status={present.state.status} />
      </td>
      <td className="plan-doing">
        <Doing {...present} />
      </td>
      <td className="plan-owner cut" title={owner}>
        {isMine ? 'you' : owner}
      </td>
      <td className="plan-age">
        <Ago at={created_at} />
        {ended_at && (
          <span className="muted">
            ended <Ago at={ended_at} />
          </span>
        )}
      </td>
    </tr>
  );
});

/** As the command line writes it. */
const short = (planId: string): string => planId.slice(0, 8);
