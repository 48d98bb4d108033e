import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const sessionRecord = z.object({ task: z.string(), part: z.string(), session_id: z.string().min(1) });

/** The session of one agent of one task: what its own agent reported last, and nothing else's. */
export interface SessionFile {
  read(): string | undefined;
  /** Written at once, before anything more of the agent is read: its worker may be killed at any moment. */
  write(sessionId: string): void;
  forget(): void;
}

/** `key` is the same for every attempt of the task, and another one when it is done anew; `part` says which of its commands. */
export function sessionFile(planFolder: string, key: string, task: string, part: string): SessionFile {
  const folder = join(planFolder, 'sessions');
  const path = join(folder, `${createHash('sha256').update(`${key}\n${part}`).digest('hex').slice(0, 32)}.json`);
  return {
    read() {
      try {
        return sessionRecord.parse(JSON.parse(readFileSync(path, 'utf8'))).session_id;
      } catch {
        return undefined;
      }
    },
    write(session_id) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(`${path}.new`, JSON.stringify({ task, part, session_id }), { mode: 0o600 });
      renameSync(`${path}.new`, path);
    },
    forget: () => rmSync(path, { force: true }),
  };
}
