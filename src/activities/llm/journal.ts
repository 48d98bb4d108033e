import { createHash } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { AttemptInput } from '../../contract/payloads.ts';
import type { LlmAnswer } from './call-model.ts';
import { callsOf } from './ledger.ts';

/** An answer that was paid, as it was kept before anything else was done with it. */
const entry = z.object({
  /** Of the call, in the ledger. */
  id: z.string(),
  /** See `callsOf`. */
  calls: z.string(),
  request: z.string(),
  answer: z.object({
    text: z.string(),
    model: z.string(),
    finish_reason: z.string(),
    usage: z.object({
      input_tokens: z.number(),
      output_tokens: z.number(),
      cost: z.number(),
      estimated: z.literal(true).optional(),
    }),
  }),
});

export interface Paid {
  id: string;
  answer: LlmAnswer;
}

export interface Journal {
  /** Answers to this question that an earlier dispatch of the attempt got; each is given once. */
  take(request: string): Paid | undefined;
  /** Once it resolves, the answer survives the worker and its machine. */
  keep(n: number, request: string, paid: Paid): Promise<void>;
  /** Calls are counted from here on. */
  last: number;
}

/**
 * What the calls of an attempt were answered, in the plan's folder: a worker that dies after an answer and before it has
 * returned does not pay for it twice, for the attempt's next dispatch finds it here.
 */
export async function openJournal(planFolder: string, input: AttemptInput): Promise<Journal> {
  const { task, attempt, dispatch } = input;
  const calls = callsOf(input);
  const folder = join(planFolder, 'llm', task.replaceAll('/', '.'));
  const key = createHash('sha256').update(calls).digest('hex').slice(0, 8);
  const nameOf = (n: number) => `${attempt}.${dispatch}.${n}-${key}.json`;
  const names = (await namesIn(folder)).filter(
    (name) => name.startsWith(`${attempt}.`) && name.endsWith(`-${key}.json`),
  );
  const found = (await Promise.all(names.map((name) => read(join(folder, name))))).filter(
    (paid) => paid?.calls === calls,
  );
  const numbers = names.map((name) => name.split(/[.-]/).map(Number));
  return {
    last: Math.max(0, ...numbers.flatMap(([_, of, n = 0]) => (of === dispatch ? [n] : []))),
    take(request) {
      const at = found.findIndex((paid) => paid?.request === request);
      const [paid] = at < 0 ? [] : found.splice(at, 1);
      return paid && { id: paid.id, answer: paid.answer as LlmAnswer };
    },
    keep: (n, request, paid) =>
      writeWhole(folder, nameOf(n), JSON.stringify({ ...paid, calls, request } satisfies z.infer<typeof entry>)),
  };
}

const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });

/** One that is not whole was never kept. */
async function read(path: string): Promise<z.infer<typeof entry> | undefined> {
  try {
    return entry.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return undefined;
  }
}

async function writeWhole(folder: string, name: string, text: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const half = join(folder, `.${name}`);
  const file = await open(half, 'w', 0o600);
  try {
    await file.writeFile(text);
    // A worker that dies from here on does not pay again, even while it is on its way to the disk.
    await rename(half, join(folder, name));
    await file.sync();
  } finally {
    await file.close();
  }
}
