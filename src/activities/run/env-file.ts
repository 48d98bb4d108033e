import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { z } from 'zod';
import { TaskFailure } from '../kind.ts';

/** `env_file`: one path, or a list of which the later wins. */
const MOST_BYTES = 1_024 * 1_024;

const path = z
  .string()
  .min(1, 'is empty; remove it')
  .refine((text) => !text.includes('\0'), 'a path cannot hold the character NUL')
  .refine((text) => !text.includes('${{'), 'expressions are not filled in here');
export const envFile = z.union([path, z.array(path).min(1, 'names no file; remove it').max(20)]);
export type EnvFile = z.infer<typeof envFile>;

/**
 * The variables of files in the dotenv form, read anew by every attempt: their values are in no history, and a file that is
 * gone is a failure, not a variable without a value. Paths start at the plan's directory.
 */
export async function readEnvFiles(paths: readonly string[], directory: string): Promise<Record<string, string>> {
  const files: Record<string, string>[] = [];
  for (const given of paths) files.push(await readEnvFile(given, resolve(directory, given)));
  return Object.assign({}, ...files) as Record<string, string>;
}

async function readEnvFile(given: string, path: string): Promise<Record<string, string>> {
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new TaskFailure(`env_file: there is no file ${given} in the plan's directory (${path})`);
  // Reading anything else may wait for ever.
  if (!found.isFile()) throw new TaskFailure(`env_file: ${given} is not a file`);
  if (found.size > MOST_BYTES) throw new TaskFailure(`env_file: ${given} is larger than ${MOST_BYTES / 1_024} KiB`);
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new TaskFailure(`env_file: ${given} cannot be read: ${error.message}`);
  });
  mustBeAssignments(given, text);
  const variables = Object.entries(parseEnv(text.replace(/^\uFEFF/, '')) as Record<string, string>);
  for (const [name, value] of variables) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
      throw new TaskFailure(
        `env_file: ${given} names the variable ${JSON.stringify(name.slice(0, 70))}; names have letters, digits and "_"`,
      );
    if (value.includes('\0'))
      throw new TaskFailure(`env_file: the value of ${name} in ${given} holds the character NUL`);
  }
  return Object.fromEntries(variables);
}

/** The parser passes over what it does not understand; here every line is a variable, a comment, empty, or inside quotes. */
function mustBeAssignments(given: string, text: string): void {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!.trim();
    if (line === '' || line.startsWith('#')) continue;
    const [, , value] = /^(export\s+)?[^\s=#'"`]+\s*=\s*(.*)$/.exec(line) ?? [];
    if (value === undefined) throw new TaskFailure(`env_file: ${given}:${at + 1}: this is no NAME=value`);
    at = endOfQuoted(value, lines, at);
  }
}

/** The line on which a value ends that begins with a quote; a quote that is never closed is a character like any other. */
function endOfQuoted(value: string, lines: string[], at: number): number {
  const quote = /^['"`]/.exec(value)?.[0];
  if (quote === undefined || value.indexOf(quote, 1) > 0) return at;
  const end = lines.findIndex((line, i) => i > at && line.includes(quote));
  return end > 0 ? end : at;
}
