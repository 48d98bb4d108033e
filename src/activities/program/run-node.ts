import type { AttemptInput, AttemptResult } from '../../contract/payloads.ts';
import type { AttemptContext } from '../kind.ts';
import type { RowsResult } from './chunk.ts';
import { haltSignal } from './halt.ts';
import type { NodeWords } from './node-words.ts';
import { openRowJournal, type RowJournal } from './row-journal.ts';
import { beginStep } from './step-lines.ts';
import { outputsOf } from './upstream.ts';

export interface NodeRun {
  journal: RowJournal;
  /** As the journal's; and the step tells of it. */
  keep: RowJournal['keep'];
  /** Aborts when the attempt is to end, or its plan is halted. */
  signal: AbortSignal;
}

/** What every node of a program does: it tells that it begins, and whatever ends it, what it has kept is there. */
export async function runNode(
  input: AttemptInput,
  context: AttemptContext,
  options: { redone: boolean },
  work: (run: NodeRun) => Promise<RowsResult>,
): Promise<AttemptResult> {
  const { node, ...words } = input.with as unknown as NodeWords;
  const { planFolder, store } = context;
  const halted = await haltSignal(planFolder);
  const signal = AbortSignal.any([context.signal, halted.signal]);
  const ends: (() => Promise<void>)[] = [];
  try {
    signal.throwIfAborted();
    const journal = await openRowJournal(planFolder, input, node.id, store, options);
    ends.unshift(journal.close);
    const step = await beginStep(planFolder, words, journal.count);
    ends.unshift(step.end);
    const keep: RowJournal['keep'] = async (rows, at) => {
      await journal.keep(rows, at);
      step.rows(journal.count);
      if (!options.redone) context.onKept();
    };
    const result = journal.result ?? (await work({ journal, keep, signal }));
    return { outputs: await outputsOf(result, input.inline_limit, store) };
  } finally {
    halted.end();
    for (const end of ends) await end();
  }
}
