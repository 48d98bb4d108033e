import { appendFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { type StepTold, tellAt } from '../../plan/wire-line.ts';
import { readableLines } from './lines-file.ts';
import type { NodeWords } from './node-words.ts';
import type { StepLine } from './row-store.ts';

const fileOf = (planFolder: string): string => join(planFolder, 'lines.jsonl');

const line = z.object({ at: z.number(), step: z.int(), total: z.int(), label: z.string(), rows: z.int() });

/** What the steps of a plan have told, in order. */
export async function readLines(planFolder: string): Promise<StepLine[]> {
  return linesIn(await readableLines(fileOf(planFolder)));
}

/** What one step tells of itself. */
export interface StepTeller {
  /** It has so many rows now; said as soon as it may be. */
  rows(count: number): void;
  end(): Promise<void>;
}

/** A step tells that it begins, once, whichever attempt of it that is; then how many rows it has, every two seconds at most. */
export async function beginStep(
  planFolder: string,
  { step, total, label }: Pick<NodeWords, 'step' | 'total' | 'label'>,
  count: number,
): Promise<StepTeller> {
  const path = fileOf(planFolder);
  let last: StepTold | undefined = await goOnWith(path, step);
  let rows = count;
  let writing = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  const tell = () => {
    const now = Date.now();
    const when = tellAt(last, rows, now);
    if (when === undefined || timer) return;
    if (when > now) {
      timer = setTimeout(() => {
        timer = undefined;
        tell();
      }, when - now).unref();
      return;
    }
    last = { at: now, rows };
    const told = `${JSON.stringify({ at: now, step, total, label, rows } satisfies Omit<StepLine, 'n'>)}\n`;
    // What is told is for people who watch: no step fails because it could not be written.
    writing = writing.then(() => appendFile(path, told, { mode: 0o600 })).catch(() => {});
  };

  tell();
  await writing;
  return {
    rows(now) {
      rows = now;
      tell();
    },
    async end() {
      clearTimeout(timer);
      timer = undefined;
      await writing;
    },
  };
}

/** What the step told last. A line that was being written when a worker died is closed, and counts for nothing. */
async function goOnWith(path: string, step: number): Promise<StepTold | undefined> {
  await mkdir(dirname(path), { recursive: true });
  const found = await readableLines(path);
  if (!found.whole) await appendFile(path, '\n');
  return linesIn(found).findLast((told) => told.step === step);
}

const linesIn = ({ values }: Awaited<ReturnType<typeof readableLines>>): StepLine[] =>
  values.flatMap((value) => line.safeParse(value).data ?? []).map((told, i) => ({ n: i + 2, ...told }));
