import type { Row } from '../../activities/program/chunk.ts';
import type { Verdict } from '../../plan/execute-session.ts';
import { type LineParts, type OpMeta, opOf, PHASES, type Phase, wireLine } from '../../plan/wire-line.ts';
import type { Compiled } from '../../program/compile.ts';
import { dryRunText } from '../../program/dry-run-text.ts';
import type { Review } from '../../program/review.ts';
import { columnsOf, markdownTable, plainText } from './table.ts';
import { type OperationWaits, waitsText } from './waiting-for.ts';

/** What a program came to, on every surface: text for people and agents, rows, and what machines read. */
export interface Answer {
  /** 202: an operation was accepted. */
  status: 200 | 202;
  markdown: string;
  /** Of the first result. */
  rows?: Row[];
  columns?: string[];
  /** Of each result, where there are several. */
  results?: { label: string; rows: Row[]; columns: string[] }[];
  meta: { plasm: PlasmMeta };
}

/** `_meta.plasm` of document 2. */
export interface PlasmMeta {
  continuity?: { p: Phase; h: string };
  op?: OpMeta;
  commit_id?: string;
  plan_commit_ref?: string;
  dry_run?: true;
  dry_verdict?: Verdict;
  dry_review?: Review['dry_review'];
  estimated_calls?: Review['estimated_calls'];
  /** Why it has to be reviewed, in words. */
  reasons?: string[];
  /** The plan of a dry run. */
  comp?: Compiled['dag'];
  /** It goes on in the background although nobody had asked for that. */
  auto_async?: true;
  /** The plan that runs it. */
  plan_id?: string;
  /** How often its sources have been asked, as far as its steps have noted. */
  calls?: number;
  /** Of one that runs: why it stands still, or part of it, and by what it would go on. */
  waiting_for?: OperationWaits[];
  /** It was asked to end, and has not yet. */
  cancelling?: true;
  /** By result: rows in this answer, from which on, of how many are kept; and the handle of the next. */
  results?: { label: string; rows: number; offset: number; kept: number; page?: string }[];
}

/** One result as it is shown. */
export interface Shown {
  label: string;
  rows: Row[];
  offset: number;
  kept: number;
  /** Handle of the rows after these. */
  page?: string;
}

export function dryRunAnswer(
  compiled: Compiled,
  review: Review,
  { commit_id, token }: { commit_id: string; token: string },
): Answer {
  const { dry_verdict, dry_review, reasons, estimated_calls } = review;
  const how =
    dry_verdict === 'review'
      ? `To run it as it is: \`plan_commit_ref\` ${token}, or \`force\`.`
      : 'It runs as it is, without a token.';
  const markdown = [fenced(dryRunText(compiled, review, token)), how].join('\n\n');
  const meta: PlasmMeta = {
    dry_run: true,
    plan_commit_ref: token,
    ...{ commit_id, dry_verdict, dry_review, estimated_calls },
    ...(reasons.length > 0 && { reasons }),
    comp: compiled.dag,
  };
  return { status: 200, markdown, meta: { plasm: meta } };
}

export interface Accepted {
  handle: string;
  commit_id: string;
  verdict: Verdict;
  plan_id: string;
  token?: string | undefined;
  auto?: boolean;
}

export function acceptedAnswer({ handle, commit_id, verdict, plan_id, token, auto }: Accepted): Answer {
  const parts: LineParts = {
    is: 'accepted',
    ...(token && { commit_ref: token }),
    ...(verdict === 'review' && { review: true }),
  };
  const said = [`wait(${handle})`, `verdict ${verdict}`, ...(token ? [`plan \`${token}\``] : [])].join(' · ');
  const meta: PlasmMeta = {
    continuity: { p: 'running', h: handle },
    op: opOf(1, parts),
    commit_id,
    dry_verdict: verdict,
    plan_id,
    ...(auto && { auto_async: true }),
  };
  return { status: 202, markdown: `${fenced(wireLine(handle, parts))}\n\n${said}`, meta: { plasm: meta } };
}

/** What a program that ran at once, or a page, came to. */
export const rowsAnswer = (shown: Shown[], meta: Omit<PlasmMeta, 'results'>): Answer => ({
  status: 200,
  markdown: resultsText(shown),
  ...rowsOf(shown),
  meta: { plasm: { ...meta, ...resultsMeta(shown) } },
});

/** How one stands that has not ended. */
export function runningAnswer(
  handle: string,
  line: { n: number; parts: LineParts },
  {
    plan_id,
    calls,
    waiting_for,
    cancelling,
  }: { plan_id: string; calls?: number; waiting_for: OperationWaits[]; cancelling: boolean },
): Answer {
  const meta: PlasmMeta = {
    plan_id,
    ...(calls !== undefined && { calls }),
    ...(waiting_for.length > 0 && { waiting_for }),
    ...(cancelling && { cancelling: true }),
  };
  const answer = operationAnswer(handle, line, undefined, meta);
  const said = [
    ...(cancelling ? ['It was asked to end, and ends as soon as what is under way has.'] : []),
    ...(waiting_for.length > 0 ? [waitsText(plan_id, waiting_for)] : []),
    ...(calls ? [`${calls} ${calls === 1 ? 'request' : 'requests'} so far`] : []),
  ];
  return { ...answer, markdown: [answer.markdown, ...said].join('\n\n') };
}

/** How an operation stands; once it has ended, with what it kept. */
export function operationAnswer(
  handle: string,
  { n, parts }: { n: number; parts: LineParts },
  shown: Shown[] | undefined,
  meta: Omit<PlasmMeta, 'results'> = {},
): Answer {
  const line = fenced(wireLine(handle, parts));
  const text = shown && shown.length > 0 && (shown.some(({ kept }) => kept > 0) || parts.is === 'succeeded');
  return {
    status: 200,
    markdown: text ? `${line}\n\n${resultsText(shown)}` : line,
    ...(shown && rowsOf(shown)),
    meta: {
      plasm: {
        continuity: { p: PHASES[parts.is], h: handle },
        op: opOf(n, parts),
        ...meta,
        ...(shown && resultsMeta(shown)),
      },
    },
  };
}

const fenced = (text: string): string => `\`\`\`text\n${text.replaceAll('```', "'''")}\n\`\`\``;

function resultsText(shown: Shown[]): string {
  return shown
    .map(({ label, rows, offset, kept, page }) => {
      const range = offset > 0 || rows.length < kept ? ` (${offset + 1}–${offset + rows.length})` : '';
      const count = `${kept} ${kept === 1 ? 'row' : 'rows'}${rows.length > 0 ? range : ''}`;
      const more = page ? `\n\nMore rows: \`page(${page})\`` : '';
      return `**${plainText(label)}** · ${count}\n\n${markdownTable(rows)}${more}`;
    })
    .join('\n\n');
}

function rowsOf(shown: Shown[]): Pick<Answer, 'rows' | 'columns' | 'results'> {
  const [first] = shown;
  if (!first) return {};
  const all = shown.map(({ label, rows }) => ({ label, rows, columns: columnsOf(rows) }));
  return { rows: first.rows, columns: all[0]!.columns, ...(all.length > 1 && { results: all }) };
}

const resultsMeta = (shown: Shown[]): Pick<PlasmMeta, 'results'> => ({
  results: shown.map(({ label, rows, offset, kept, page }) => ({
    label,
    rows: rows.length,
    offset,
    kept,
    ...(page && { page }),
  })),
});
