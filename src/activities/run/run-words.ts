import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { z } from 'zod';
import { asText, ExpressionError, renderTemplate, type Scope, splitTemplate } from '../../plan/expression.ts';
import type { Json } from '../../plan/json.ts';
import { whole } from '../cut-values.ts';
import { TaskFailure } from '../kind.ts';
import { literally, patternFault } from './file-pattern.ts';
import { renderScriptTemplate, ShellTemplateError } from './shell-template.ts';

/** The words of a `run` task: what a plan file may say, and what they are once their expressions are filled in. */

const pattern = z.string().superRefine((text, context) => {
  const message = patternFault(withoutExpressions(text));
  if (message !== undefined) context.addIssue({ code: 'custom', message });
});
export const declaredOutputs = z
  .array(pattern)
  .min(1, 'names no file; remove it')
  .max(1_000, 'names more than 1000 files; use a pattern');
export const directoryGiven = z
  .string()
  .min(1, 'is empty; remove it')
  .refine((text) => !text.includes('\0'), 'a path cannot hold the character NUL');

/** What an expression gives is not known yet: taken for a name. */
function withoutExpressions(text: string): string {
  try {
    return splitTemplate(text)
      .map((part) => ('text' in part ? part.text : 'x'))
      .join('');
  } catch {
    return text; // Said of every text with expressions.
  }
}

export const renderedScript = (script: string, scope: Scope): string =>
  rendered('run', () => renderScriptTemplate(script, scope));

/** Where a task runs: its plan's directory, or what `working_directory` names from there. */
export function directoryOf(base: string, given: string | undefined, scope: Scope): string {
  if (given === undefined) return base;
  const path = rendered('working_directory', () => renderTemplate(given, scope, plainText) as string);
  if (path.trim() === '') throw new TaskFailure('working_directory: it is empty', { final: 'invalid' });
  return resolve(base, path);
}

export async function mustBeDirectory(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) throw new TaskFailure(`the working directory ${path} does not exist`);
}

/** Values stand for themselves: what is in one is no pattern, and must not lead elsewhere. */
export const renderedOutputs = (patterns: string[], scope: Scope): string[] =>
  patterns.map((given) => {
    const pattern = rendered(
      'outputs',
      () => renderTemplate(given, scope, (value) => literally(plainText(value))) as string,
    );
    const fault = patternFault(pattern);
    if (fault !== undefined)
      throw new TaskFailure(`outputs: ${JSON.stringify(pattern)} ${fault}`, { final: 'invalid' });
    return pattern;
  });

function plainText(value: Json): string {
  whole(value);
  if (typeof value === 'object') throw new ExpressionError(`${JSON.stringify(value).slice(0, 100)} is no text`);
  return asText(value);
}

/** What cannot be filled in now cannot be in another attempt. */
function rendered<T>(word: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof ExpressionError || error instanceof ShellTemplateError)
      throw new TaskFailure(`${word}: ${error.message}`, { final: 'invalid' });
    throw error;
  }
}
