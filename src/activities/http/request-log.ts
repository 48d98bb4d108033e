import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { activityId } from '../../contract/names.ts';
import type { AttemptInput } from '../../contract/payloads.ts';
import type { Mask } from '../masking.ts';

export interface RequestLog {
  /** Where the attempt may put an answer's body meanwhile. */
  bodyPath: string;
  line(text: string): void;
  end(): Promise<void>;
}

/** A few lines per attempt, beside the logs of commands: what was asked, what came, and when. Never a header's value. */
export async function openRequestLog(planFolder: string, input: AttemptInput, mask: Mask): Promise<RequestLog> {
  const folder = join(planFolder, 'logs');
  const name = activityId(input.task, input.attempt, input.dispatch);
  await mkdir(folder, { recursive: true });
  const began = performance.now();
  const lines: string[] = [];
  return {
    bodyPath: join(folder, `${name}.body`),
    line: (text) => {
      lines.push(`${mask.text(text)}, ${Math.round(performance.now() - began)} ms\n`);
    },
    // A request that was made must not be made again because its log could not be written.
    end: () => writeFile(join(folder, `${name}.log`), lines.join(''), { mode: 0o600 }).catch(() => {}),
  };
}
