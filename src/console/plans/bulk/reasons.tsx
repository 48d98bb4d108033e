import { plainText } from '../../ui/plain-text.ts';
import type { Row } from '../merge.ts';

/** Names that are written out for one reason. */
const MOST_NAMED = 8;

export const plans = (count: number): string => (count === 1 ? '1 plan' : `${count} plans`);

/** Which plans, by why. */
export const Reasons = ({ of }: { of: [why: string, rows: Row[]][] }) => (
  <ul className="bulk-reasons">
    {of.map(([why, rows]) => (
      <li key={why}>
        <strong>{rows.length}</strong> {plainText(why)}
        <span className="muted"> – {named(rows)}</span>
      </li>
    ))}
  </ul>
);

function named(rows: Row[]): string {
  const names = rows.slice(0, MOST_NAMED).map(({ name, plan_id }) => `${plainText(name)} (${plan_id.slice(0, 8)})`);
  const left = rows.length - names.length;
  return left > 0 ? `${names.join(', ')} and ${left} more` : names.join(', ');
}
