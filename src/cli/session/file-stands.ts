import { readFile } from 'node:fs/promises';
import type { Session } from '../../service/sessions.ts';
import { hashOfFile } from '../../service/source.ts';

/** What has become of a session's file since it was started; undefined where it is as it was. */
export async function fileStands({
  file,
  file_hash,
}: Session): Promise<'edited since' | 'no longer there' | undefined> {
  if (file === undefined) return undefined;
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return 'no longer there';
  return hashOfFile(text) === file_hash ? undefined : 'edited since';
}
