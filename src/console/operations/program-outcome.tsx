import { Link } from '@tanstack/react-router';
import { Workflow } from 'lucide-react';
import { useState } from 'react';
import type { ProgramAnswer } from '../api/types.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { textOf } from './dry-run.tsx';
import { inRows, kindOf, LINE_BADGES } from './looks.ts';
import { Pager } from './pager.tsx';
import { operationLink, type SessionPlace } from './places.ts';
import { PAGE_ROWS } from './queries.ts';
import { RowsTable } from './rows-table.tsx';

interface ProgramOutcomeProps {
  place: SessionPlace;
  answer: ProgramAnswer;
  busy: boolean;
  /** Goes on with something, such as the rows behind these. */
  run: (continuation: string) => void;
}

/** What a program came to: its rows, or the operation that it has become. */
export function ProgramOutcome({ place, answer, busy, run }: ProgramOutcomeProps) {
  const { continuity, op, plan_id, results = [] } = answer._meta.plasm;
  const { rows, columns = [] } = answer;
  const tables = answer.results ?? (rows && results[0] ? [{ label: results[0].label, rows, columns }] : []);
  return (
    <section className="outcome" aria-label="Outcome">
      {continuity && op && (
        <p className="row" role="status">
          <Link {...operationLink(place, continuity.h)} className="operation-handle mono">
            {continuity.h}
          </Link>
          <Badge look={LINE_BADGES[kindOf(op)]} />
          <code>{textOf(answer.markdown)}</code>
        </p>
      )}
      {tables.map(({ label, rows, columns }, i) => {
        const { offset = 0, kept = rows.length, page } = results[i] ?? {};
        return (
          <Result key={`${i} ${label}`} {...{ label, rows, columns, offset, kept }}>
            {page && (
              <Button busy={busy} onClick={() => run(`page(${page})`)}>
                More rows: <code>page({page})</code>
              </Button>
            )}
          </Result>
        );
      })}
      {!continuity && plan_id && (
        <Link to="/plans/$planId" params={{ planId: plan_id }} className="operation-plan">
          <Workflow aria-hidden size={14} /> Plan of this run
        </Link>
      )}
    </section>
  );
}

interface ResultProps {
  label: string;
  rows: Record<string, unknown>[];
  columns: string[];
  offset: number;
  kept: number;
  children: React.ReactNode;
}

/** An answer may have a thousand rows: a hundred are shown at a time. */
function Result({ label, rows, columns, offset, kept, children }: ResultProps) {
  const [from, setFrom] = useState(0);
  const shown = rows.slice(from, from + PAGE_ROWS);
  return (
    <div className="stack">
      <p role="status">
        <strong>{label}</strong> <span className="muted">{inRows(kept)}</span>
      </p>
      {rows.length > 0 && <RowsTable name={label} columns={columns} rows={shown} offset={offset + from} />}
      {rows.length > 0 && <Pager offset={from} count={shown.length} kept={rows.length} page={PAGE_ROWS} go={setFrom} />}
      <div>{children}</div>
    </div>
  );
}
