import { splitTemplate } from '../../plan/expression.ts';
import type { Json } from '../../plan/json.ts';

/** What stands in place of what a template's expressions read. Undefined: it stays. */
export interface Renaming {
  task(id: string): string | undefined;
  /** An expression. */
  input(name: string): string | undefined;
}

/** A task's words with every expression in them rewritten. `if` is an expression as a whole. */
export function rewriteWords(words: Json, renaming: Renaming, key?: string): Json {
  if (typeof words === 'string') return key === 'if' ? rewriteCondition(words, renaming) : rewriteText(words, renaming);
  if (Array.isArray(words)) return words.map((item) => rewriteWords(item, renaming));
  if (words === null || typeof words !== 'object') return words;
  return Object.fromEntries(Object.entries(words).map(([name, value]) => [name, rewriteWords(value, renaming, name)]));
}

export function rewriteText(text: string, renaming: Renaming): string {
  if (!text.includes('${{')) return text;
  return splitTemplate(text)
    .map((part) =>
      'text' in part
        ? part.text.replaceAll('${{', () => '$${{')
        : `\${{ ${rewriteExpression(part.expression, renaming)} }}`,
    )
    .join('');
}

/** `if: ${{ … }}` is taken for what stands inside, as everywhere. */
function rewriteCondition(text: string, renaming: Renaming): string {
  const inside = /^\s*\$\{\{(.*)\}\}\s*$/s.exec(text)?.[1]?.trim() ?? text.trim();
  return rewriteExpression(inside, renaming);
}

/** Quoted texts are passed over; then `tasks.ID`, `tasks['ID']` and `inputs.NAME`, unless they are parts of something else. */
const READ =
  /"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|(?<![\w.])(tasks|inputs)\s*(?:\.\s*([A-Za-z_]\w*)|\[\s*(?:'([^'\\]*)'|"([^"\\]*)")\s*\])/g;

export function rewriteExpression(expression: string, { task, input }: Renaming): string {
  return expression.replace(READ, (found, of?: string, dotted?: string, single?: string, double?: string) => {
    const name = dotted ?? single ?? double;
    if (of === undefined || name === undefined) return found;
    if (of === 'inputs') {
      const instead = input(name);
      return instead ?? found;
    }
    const renamed = task(name);
    return renamed === undefined ? found : readTask(renamed);
  });
}

/** A task as an expression names it. `has()` wants names without quotes, so they have none where they need none. */
export const readTask = (id: string): string => (/^\w+$/.test(id) ? `tasks.${id}` : `tasks['${id}']`);
