import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TaskFailure } from '../kind.ts';

/** A plan's stop reaches its attempts by their heartbeats, a second or two later; a file in the plan's folder, at once. */
const fileOf = (planFolder: string): string => join(planFolder, 'halted');

const LOOKED_FOR_MS = 150;
/** For as long as attempts that had just begun would be found: a plan that was not told to stop goes on with its next one. */
const HOLDS_MS = 2_000;

export async function halt(planFolder: string): Promise<void> {
  await mkdir(planFolder, { recursive: true });
  await writeFile(fileOf(planFolder), '', { mode: 0o600 });
}

/** Aborts when the plan is halted; `end` it. An attempt that is ended so fails, and is tried again if its plan goes on. */
export async function haltSignal(planFolder: string): Promise<{ signal: AbortSignal; end(): void }> {
  const controller = new AbortController();
  const look = async () => {
    const at = await stat(fileOf(planFolder)).catch(() => undefined);
    if (at && Date.now() - at.mtimeMs < HOLDS_MS) controller.abort(new TaskFailure('reading was halted'));
  };
  await look();
  const timer = setInterval(() => void look(), LOOKED_FOR_MS).unref();
  return { signal: controller.signal, end: () => clearInterval(timer) };
}
