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
