const LITERAL = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g;
const NOT_BY_NAME = /(?<![\w.])(inputs|tasks|secrets)\b(?!\s*\.\s*[A-Za-z_]\w*\b(?!\s*\()|\s*\[\s*""\s*\])/g;
const HYPHENATED = /(?<![\w.])(inputs|tasks)\.(\w+(?:-\w+)+)/g;

/**
 * Which of `inputs`, `tasks` and `secrets` an expression reads other than by a name that stands in it, as in `inputs[x]`. Such a
 * read cannot be checked before, and would be missing from what a task's fingerprint depends on.
 */
export function readsByComputedName(expression: string): string[] {
  const found = expression.replace(LITERAL, '""').matchAll(NOT_BY_NAME);
  return [...new Set(Array.from(found, ([, name]) => name!))];
}

/** What of the plan's ending an expression reads. */
export function endingNames(expression: string): string[] {
  const found = expression.replace(LITERAL, '""').matchAll(/(?<![\w.])plan\.(?:status|error)\b/g);
  return [...new Set(Array.from(found, ([name]) => name))];
}

/** Names written as `tasks.a-b`, which CEL takes for a subtraction. */
export function hyphenatedNames(expression: string): { scope: string; name: string }[] {
  const found = expression.replace(LITERAL, '""').matchAll(HYPHENATED);
  return Array.from(found, ([, scope, name]) => ({ scope: scope!, name: name! }));
}
