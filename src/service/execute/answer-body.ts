import type { Answer } from './answer.ts';

/** How `Answer` is sent as JSON, on every surface. */
export const answerBody = ({ markdown, rows, columns, results, meta }: Answer) => ({
  markdown,
  run_markdown: markdown,
  ...(meta.plasm.op && { operation: true as const }),
  ...(rows && { rows, columns }),
  ...(results && { results }),
  _meta: meta,
});
