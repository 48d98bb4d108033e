import type { AttemptInput } from '../contract/payloads.ts';
import { ExpressionError, evaluate, expressionsIn, renderDeep, type Scope } from '../plan/expression.ts';
import type { Json } from '../plan/json.ts';
import { holdsStored } from '../plan/scope.ts';
import type { ArtifactStore } from './artifact-store.ts';
import { isStored } from './artifact-store.ts';
import { TaskFailure } from './kind.ts';
import { loadScope } from './stored-values.ts';

/** A task's words with every expression filled in, stored outputs loaded; what cannot be filled in fails the task for good. */
export async function renderWords(input: AttemptInput, store: ArtifactStore): Promise<Json> {
  const scope = await loadScope(input.scope, store);
  try {
    if (holdsStored(scope as unknown as Json)) refuseCut(input.with, scope);
    return renderDeep(input.with, scope);
  } catch (error) {
    if (error instanceof ExpressionError)
      throw new TaskFailure(`${input.kind}: ${error.message}`, { final: 'invalid' });
    throw error;
  }
}

/** Loading leaves references only where a value was cut; that must not pass for a whole one. */
function refuseCut(words: Json, scope: Scope): void {
  for (const { text } of expressionsIn(words)) {
    const value = evaluate(text, scope);
    if (isStored(value) && value.$stored.dropped)
      throw new ExpressionError(
        `\${{ ${text} }} was cut, ${value.$stored.dropped} bytes of it were dropped: write long output to a file instead`,
      );
  }
}
