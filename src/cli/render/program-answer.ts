import type { Answer } from '../../service/execute/answer.ts';
import { answerBody } from '../../service/execute/answer-body.ts';
import type { RunProgramRequest } from '../../service/execute/run.ts';
import { type Cli, printJson, type Screen } from '../cli.ts';

export type Form = 'plain' | 'json' | 'ndjson';

interface Printing {
  cli: Cli;
  form: Form;
  /** The rows after those of an answer are asked for. */
  ask(more: Partial<RunProgramRequest>): Promise<Answer>;
}

/** Markdown, the JSON that HTTP answers with, or each row that is kept as JSON on a line of its own. */
export async function printAnswer(
  { cli, form, ask }: Printing,
  answer: Answer,
  { to = cli.out }: { to?: Screen } = {},
): Promise<void> {
  if (form === 'plain') return to.line(answer.markdown);
  if (form === 'json') return printJson(cli, answerBody(answer));
  if (!answer.rows) return to.line(JSON.stringify(answerBody(answer)));
  const { rows, results = [{ rows }], meta } = answer;
  for (const [i, result] of results.entries()) {
    for (const row of result.rows) to.line(JSON.stringify(row));
    let told = meta.plasm.results?.[i];
    // What is kept already is read to its end; what a page would read first is not.
    while (told?.page !== undefined && told.offset + told.rows < told.kept) {
      await to.drained?.();
      const next: Answer = await ask({ program: `page(${told.page})`, mode: undefined, plan_commit_ref: undefined });
      for (const row of next.rows ?? []) to.line(JSON.stringify(row));
      told = next.meta.plasm.results?.[0];
    }
  }
}
