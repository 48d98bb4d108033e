import { writeFile } from 'node:fs/promises';
import type { AttemptInput } from '../../contract/payloads.ts';
import { beginLog } from '../logs/attempt-files.ts';
import type { Mask } from '../masking.ts';

export interface RequestLog {
  /** Where the attempt may put an answer's body meanwhile. */
  bodyPath: string;
  line(text: string): void;
  end(): Promise<void>;
}

/** A few lines per attempt, beside the logs of commands: what was asked, what came, and when. Never a header's value. */
export async function openRequestLog(planFolder: string, input: AttemptInput, mask: Mask): Promise<RequestLog> {
  const path = await beginLog(planFolder, input);
  const began = performance.now();
  const lines: string[] = [];
  return {
    bodyPath: `${path}.body`,
    line: (text) => {
      lines.push(`${mask.text(text)}, ${Math.round(performance.now() - began)} ms\n`);
    },
    // A request that was made must not be made again because its log could not be written.
    end: () => writeFile(`${path}.log`, lines.join(''), { mode: 0o600 }).catch(() => {}),
  };
}
