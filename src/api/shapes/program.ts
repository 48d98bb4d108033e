import { z } from 'zod';
import type { Json } from '../../plan/json.ts';
import { SIGILS } from '../../plan/wire-line.ts';
import type { CatalogListed, CatalogRegistered, CatalogTaught } from '../../service/execute/catalogs.ts';
import type { RowsAnswer } from '../../service/execute/operations.ts';
import type { SessionListed } from '../../service/execute/session-list.ts';
import { time } from './plan-state.ts';

const json = z.custom<Json>();
const row = z.record(z.string(), json).describe('One row, by field');
const rows = z.array(row);
const verdict = z.enum(['ok', 'review']);
const phase = z.enum(['running', 'succeeded', 'cancelled', 'failed']);

const catalog = {
  prompt_hash: z.string().describe('Of what the catalog says: the same catalog has the same'),
  name: z.string(),
  entities: z.array(z.string()),
};
export const catalogRegistered: z.ZodType<Omit<CatalogRegistered, 'created'>> = z
  .object(catalog)
  .meta({ id: 'Catalog' });
export const catalogTaught: z.ZodType<CatalogTaught> = z
  .object({
    ...catalog,
    teaching: z.string().describe('What agents have to know to write programs over it, as Markdown'),
  })
  .meta({ id: 'CatalogTeaching' });
const listed: z.ZodType<CatalogListed> = z.object({ ...catalog, created_at: time }).meta({ id: 'CatalogListed' });
export const catalogList = z.object({ catalogs: z.array(listed) });

const sessionListed: z.ZodType<SessionListed> = z
  .object({
    prompt_hash: z.string(),
    catalog: z.string().nullable().describe('The name of its catalog; null where that is not there any more'),
    session: z.string(),
    surface: z.enum(['http', 'mcp']).describe('Where it is used: over HTTP and by the command line, or over MCP'),
    operations: z.int().nullable().describe('How many it has accepted; null while no worker answers for it'),
    last_used_at: time.nullable(),
  })
  .meta({ id: 'SessionListed' });
export const sessionList = z.object({ sessions: z.array(sessionListed) });

const op = z
  .object({
    n: z.int().describe('Which of the lines of the operation it is'),
    s: z.string().optional().describe('Step of steps, such as 3/8'),
    l: z.string().optional().describe('Name of the step'),
    r: z.int().optional().describe('Rows'),
    c: z.string().optional().describe('Token of the dry run it was accepted by'),
    ...Object.fromEntries(Object.values(SIGILS).map((sigil) => [sigil, z.literal(1).optional()])),
  })
  .describe('One key is the sigil of the line: + accepted, ~ running, = unchanged, ! succeeded, x cancelled, ? failed')
  .meta({ id: 'OperationLine' });

const waits = z
  .object({
    what: z.string().describe('Such as question, resume, review, start_time, wait, back_off, release'),
    text: z.string().describe('In words'),
    task: z.string().optional(),
    since: time.optional(),
    until: time.optional(),
    by: z.string().optional(),
    ways: z
      .array(
        z.looseObject({
          command: z.enum(['approve', 'resume', 'retry', 'release', 'answer']).describe('A command of its plan'),
          question: z.string().optional(),
          options: z.array(z.string()).optional(),
        }),
      )
      .optional()
      .describe('By what it would go on'),
  })
  .meta({ id: 'OperationWaits' });

const plasm = z
  .looseObject({
    continuity: z.object({ p: phase, h: z.string() }).optional().describe('How the operation stands, and its handle'),
    op: op.optional(),
    commit_id: z.string().optional().describe('Hash of what the program does'),
    plan_commit_ref: z.string().optional().describe('Token of the dry run, of this session'),
    dry_verdict: verdict.optional(),
    estimated_calls: z
      .object({ least: z.int(), most: z.int().nullable() })
      .optional()
      .describe('How often the sources would be asked; null: nobody knows'),
    reasons: z.array(z.string()).optional().describe('Why it has to be reviewed'),
    auto_async: z.literal(true).optional(),
    plan_id: z.uuid().optional().describe('The plan that runs it'),
    calls: z.int().optional().describe('How often its sources have been asked so far, as far as its steps have noted'),
    waiting_for: z.array(waits).optional().describe('Of one that runs: why it stands still, or part of it'),
    cancelling: z.literal(true).optional().describe('It was asked to end, and has not yet'),
    results: z
      .array(
        z.object({
          label: z.string(),
          rows: z.int(),
          offset: z.int(),
          kept: z.int(),
          page: z.string().optional().describe('Handle of the rows after these'),
        }),
      )
      .optional()
      .describe('Of each result: rows of this answer, from which on, of how many that are kept'),
  })
  .meta({ id: 'PlasmMeta' });

/** How `Answer` is sent as JSON. */
export const programAnswer = z
  .object({
    markdown: z.string(),
    run_markdown: z.string().describe('The same'),
    operation: z.literal(true).optional().describe('It is of an operation'),
    rows: rows.optional().describe('Of the first result'),
    columns: z.array(z.string()).optional(),
    results: z
      .array(z.object({ label: z.string(), rows, columns: z.array(z.string()) }))
      .optional()
      .describe('Of each result, where there are several'),
    _meta: z.object({ plasm }),
  })
  .meta({ id: 'ProgramAnswer' });

const operation = z.object({
  handle: z.string(),
  phase,
  line: z.string().describe('Its last line'),
  op,
  verdict,
  plan_commit_ref: z.string().nullable(),
  commit_id: z.string(),
  program: z.string().describe('The first words of its program'),
  plan_id: z.uuid().describe('The plan that runs it'),
  accepted_at: time,
  ended_at: time.nullable(),
  calls: z.int().nullable().describe('How often its sources have been asked so far; null where that is not known'),
  waiting_for: z.array(waits).describe('Why it stands still, or part of it; empty while all of it is at work'),
});
export const operationList = z
  .object({
    operations: z.array(operation).describe('Newest first'),
    next_before: z.int().nullable().describe('What to give as `before` for those after these'),
  })
  .meta({ id: 'OperationList' });
export const operationDetails = operation
  .extend({ results: z.array(z.object({ label: z.string(), rows: z.int() })).describe('What it has kept by now') })
  .meta({ id: 'Operation' });

export const operationRows: z.ZodType<RowsAnswer> = z
  .object({
    label: z.string(),
    rows,
    columns: z.array(z.string()),
    offset: z.int(),
    kept: z.int().describe('Rows that are kept by now'),
    next_offset: z.int().nullable(),
  })
  .meta({ id: 'OperationRows' });
