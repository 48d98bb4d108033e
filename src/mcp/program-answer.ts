import { z } from 'zod';
import type { Json } from '../plan/json.ts';
import type { Answer, PlasmMeta } from '../service/execute/answer.ts';
import { answerBody } from '../service/execute/answer-body.ts';
import type { Answer as ToolAnswer } from './tool.ts';
import { rowsLink } from './uris.ts';

const rows = z.array(z.record(z.string(), z.custom<Json>()));

/** What `plasm` and `plasm_run` answer: what HTTP answers with as JSON. */
export const programOutput = z.looseObject({
  markdown: z.string().describe('What the text has'),
  operation: z.literal(true).optional(),
  rows: rows.optional().describe('Of the first result'),
  columns: z.array(z.string()).optional(),
  results: z
    .array(z.object({ label: z.string(), rows, columns: z.array(z.string()) }))
    .optional()
    .describe('Of each result, where there are several'),
  rows_left_out: z
    .int()
    .optional()
    .describe('How many more rows there are, for which there was no room: read the linked resource'),
  _meta: z
    .object({ plasm: z.custom<PlasmMeta>() })
    .describe('Handle, line, tokens, verdict; also in _meta of the result'),
});

/** A model reads every row. */
const MOST_BYTES = 256 * 1_024;

/** Markdown as text, the rows as data, and what machines read in `_meta`, too. */
export function programAnswer(answer: Answer): ToolAnswer<z.output<typeof programOutput>> {
  const { markdown, meta } = answer;
  const { plan_id } = meta.plasm;
  const { run_markdown: _, ...body } = bounded(answerBody(answer));
  return {
    body,
    text: markdown,
    meta: { plasm: meta.plasm },
    ...(plan_id !== undefined && { links: [rowsLink(plan_id)] }),
  };
}

type Body = ReturnType<typeof answerBody>;

/** Rows for which there is room, those of the first result first. */
function bounded(body: Body): Body & { rows_left_out?: number } {
  if (!body.rows) return body;
  let room = MOST_BYTES;
  let leftOut = 0;
  const cut = <T>(rows: T[]): T[] => {
    const kept = rows.filter((row) => {
      room -= room > 0 ? Buffer.byteLength(JSON.stringify(row)) : 0;
      return room > 0;
    });
    leftOut += rows.length - kept.length;
    return kept;
  };
  const results = body.results?.map((result) => ({ ...result, rows: cut(result.rows) }));
  const rows = results?.[0]?.rows ?? cut(body.rows);
  return { ...body, rows, ...(results && { results }), ...(leftOut > 0 && { rows_left_out: leftOut }) };
}
