import { TriangleAlert } from 'lucide-react';
import { amount, type Unit } from './amounts.ts';

/** From here on somebody is warned. */
const NEAR = 0.8;

interface MeterProps {
  name: string;
  unit: Unit;
  spent: number;
  /** Null: as much as it takes. */
  max: number | null;
  /** What else it took. */
  more?: string | undefined;
}

/** What is spent, of how much; a warning once that is most of it. */
export function Meter({ name, unit, spent, max, more }: MeterProps) {
  const part = max === null ? undefined : max === 0 ? 1 : spent / max;
  const isNear = part !== undefined && part >= NEAR;
  return (
    <div className="meter">
      <dt>{name}</dt>
      <dd>
        <span className="meter-words">
          <strong>{amount(spent)}</strong> {max === null ? unitOf(unit) : `of ${amount(max)} ${unitOf(unit)}`.trimEnd()}
          {more !== undefined && <span className="muted">{more}</span>}
          {isNear && (
            <span className="badge" data-tone={part >= 1 ? 'red' : 'orange'}>
              <TriangleAlert aria-hidden size={14} />
              {Math.floor(part * 100)} % of the limit
            </span>
          )}
        </span>
        {part !== undefined && (
          <span className="progress" aria-hidden data-tone={part >= 1 ? 'red' : isNear ? 'orange' : undefined}>
            <span style={{ width: `${Math.min(1, part) * 100}%` }} />
          </span>
        )}
      </dd>
    </div>
  );
}

const unitOf = (unit: Unit): string => (unit === 'tokens' ? 'tokens' : '');
