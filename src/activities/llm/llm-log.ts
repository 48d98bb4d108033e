import type { AttemptInput } from '../../contract/payloads.ts';
import { beginLog } from '../logs/attempt-files.ts';
import type { Mask } from '../masking.ts';
import { openLog } from '../run/logged.ts';

export interface LlmLog {
  /** A piece of what a model says, as it comes. */
  text(piece: string): void;
  /** A line about the call, told from what a model says by the dashes before it. */
  note(line: string): void;
  end(): Promise<void>;
}

/** What models say, beside the logs of commands. It must not fail what was paid, so nothing waits for the disk. */
export async function openLlmLog(planFolder: string, input: AttemptInput, mask: Mask): Promise<LlmLog> {
  const log = openLog(`${await beginLog(planFolder, input)}.log`);
  let masked = mask.stream();
  let inLine = false;
  const write = (bytes: Buffer) => {
    if (bytes.length > 0) void log.write(bytes);
  };
  const flush = () => {
    write(masked?.end() ?? Buffer.alloc(0));
    masked = mask.stream();
  };
  return {
    text(piece) {
      if (piece === '') return;
      inLine = !piece.endsWith('\n');
      const bytes = Buffer.from(piece);
      write(masked?.write(bytes) ?? bytes);
    },
    note(line) {
      flush();
      write(Buffer.from(`${inLine ? '\n' : ''}--- ${mask.text(line)}\n`));
      inLine = false;
    },
    async end() {
      flush();
      await log.end().catch(() => {});
    },
  };
}
