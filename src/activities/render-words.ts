import type { AttemptInput } from '../contract/payloads.ts';
import { ExpressionError, evaluate, expressionsIn, renderDeep } from '../plan/expression.ts';
import type { Json } from '../plan/json.ts';
import { holdsStored } from '../plan/scope.ts';
import type { ArtifactStore } from './artifact-store.ts';
import { whole } from './cut-values.ts';
import { TaskFailure } from './kind.ts';
import { loadScope } from './stored-values.ts';

/** A task's words with every expression filled in, stored outputs loaded; what cannot be filled in fails the task for good. */
export async function renderWords(input: AttemptInput, store: ArtifactStore): Promise<Json> {
  const scope = await loadScope(input.scope, store);
  try {
    // Said of the expression, before its value is a part of a text.
    if (holdsStored(input.scope as unknown as Json))
      for (const { text } of expressionsIn(input.with)) whole(evaluate(text, scope), text);
    return renderDeep(input.with, scope);
  } catch (error) {
    if (error instanceof ExpressionError)
      throw new TaskFailure(`${input.kind}: ${error.message}`, { final: 'invalid' });
    throw error;
  }
}
