import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { StoredValue } from '../../contract/payloads.ts';
import type { Json } from '../../plan/json.ts';
import { TaskFailure } from '../kind.ts';
import type { BoundedLog } from './bounded-log.ts';
import { NotJson, parseJsonText } from './json-text.ts';
import type { OutputKeeper } from './output-keeper.ts';

/** What becomes of a script's standard output. `none`: it stands in the log only. */
export const capture = z.enum(['text', 'json', 'lines', 'none']);
export type Capture = z.infer<typeof capture>;

/** The output `stdout`, without its last line break: inline when small, else by reference. */
export async function captured(stdout: BoundedLog, how: Capture, keeper: OutputKeeper): Promise<Json> {
  if (how === 'json') return await json(stdout, keeper);
  // What was cut is kept as it is, and refused where it is used.
  if (how === 'text' || stdout.dropped > 0)
    return keeper.takes(stdout.bytes) ? withoutLineBreak(await text(stdout)) : await byReference(stdout, keeper);
  const lines = withoutLineBreak(await text(stdout));
  return await keeper.keep(lines === '' && stdout.bytes === 0 ? [] : lines.split(/\r?\n/));
}

async function json(stdout: BoundedLog, keeper: OutputKeeper): Promise<Json> {
  if (stdout.dropped > 0)
    throw new TaskFailure(`stdout is too long for JSON: ${stdout.dropped} bytes of it were not kept`, {
      final: 'invalid',
    });
  try {
    return await keeper.keep(parseJsonText(await text(stdout)));
  } catch (error) {
    if (error instanceof NotJson) throw new TaskFailure(`stdout is not JSON: ${error.message}`, { final: 'invalid' });
    throw error;
  }
}

async function byReference({ path, dropped }: BoundedLog, keeper: OutputKeeper): Promise<Json> {
  const { $stored }: StoredValue = await keeper.store.putFile(path);
  return { $stored: { ...$stored, ...(dropped > 0 && { dropped }) } };
}

/** Decoded as a whole: no chunk's edge splits a character. */
const text = ({ path }: BoundedLog): Promise<string> => readFile(path, 'utf8');

const withoutLineBreak = (text: string): string => text.replace(/\r?\n$/, '');
