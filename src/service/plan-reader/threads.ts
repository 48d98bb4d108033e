import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { Fault, type FaultCode, type Problem } from '../../faults.ts';
import type { Done, Job, Work } from './job.ts';
import { takeTurns } from './turns.ts';

/** What a thread says of a job. */
export type Answer =
  | { done: Done[Work] }
  | { fault: { code: FaultCode; message: string; errors?: readonly Problem[] } };

export interface Limits {
  /** How long one may take, once it has its turn. */
  longestMs: number;
  /** How many wait, of one organisation and of all. */
  waiting: { ofOne: number; ofAll: number };
}

const LIMITS: Limits = { longestMs: 20_000, waiting: { ofOne: 16, ofAll: 64 } };
/** A thread that needs more is ended; the largest plans take less than half of it. */
const MEMORY_MB = 512;
/** Two at a time, but on a small machine one: the engine itself has to go on. */
const MOST_THREADS = availableParallelism() > 2 ? 2 : 1;

interface Waiting {
  job: Job;
  resolve(done: Done[Work]): void;
  reject(error: unknown): void;
}

interface Thread {
  worker: Worker;
  /** What it is at work on. */
  current?: { waiting: Waiting; timer: NodeJS.Timeout } | undefined;
}

/** Threads that do jobs, kept for the next ones. None of them keeps the process alive. */
export function startThreads(file: URL, limits: Limits = LIMITS) {
  const turns = takeTurns<Waiting>(limits.waiting);
  const idle: Thread[] = [];
  let threads = 0;

  function start(): Thread {
    threads++;
    const worker = new Worker(file, { name: 'reader', resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB } });
    worker.unref();
    const thread: Thread = { worker };
    worker.on('message', (answer: Answer) => {
      const waiting = finished(thread);
      if (!waiting) return;
      idle.push(thread);
      if ('done' in answer) waiting.resolve(answer.done);
      else waiting.reject(faultOf(answer.fault));
      next();
    });
    worker.on('error', (error) => lose(thread, isOutOfMemory(error) ? tooMuchMemory() : error));
    worker.on('exit', () => lose(thread, new Error('a thread that reads plan files ended')));
    return thread;
  }

  function finished(thread: Thread): Waiting | undefined {
    clearTimeout(thread.current?.timer);
    const waiting = thread.current?.waiting;
    thread.current = undefined;
    return waiting;
  }

  function lose(thread: Thread, error: Error): void {
    if (gone.has(thread)) return;
    gone.add(thread);
    threads--;
    if (idle.includes(thread)) idle.splice(idle.indexOf(thread), 1);
    finished(thread)?.reject(error);
    void thread.worker.terminate();
    next();
  }
  const gone = new WeakSet<Thread>();

  /** Gives a thread, or a new one, the next job. */
  function next(): void {
    if (idle.length === 0 && threads >= MOST_THREADS) return;
    const waiting = turns.next();
    if (!waiting) return;
    const thread = idle.pop() ?? start();
    const timer = setTimeout(() => lose(thread, tooSlow(limits.longestMs)), limits.longestMs);
    thread.current = { waiting, timer };
    thread.worker.postMessage(waiting.job);
  }

  return <W extends Work>(orgId: string, job: Job<W>): Promise<Done[W]> =>
    new Promise<Done[Work]>((resolve, reject) => {
      if (!turns.add(orgId, { job, resolve, reject })) reject(tooBusy());
      else next();
    }) as Promise<Done[W]>;
}

const faultOf = ({ code, message, errors }: Extract<Answer, { fault: unknown }>['fault']): Fault =>
  new Fault(code, message, errors && { errors });

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

const tooSlow = (ms: number): Fault =>
  new Fault('PLAN_TOO_LARGE', `reading it takes longer than ${ms / 1_000} s; make it smaller or simpler`);
const tooMuchMemory = (): Fault =>
  new Fault('PLAN_TOO_LARGE', `reading it takes more than ${MEMORY_MB} MB of memory; make it smaller`);
const tooBusy = (): Fault =>
  new Fault(
    'ENGINE_UNAVAILABLE',
    'too many plan files and programs wait to be read; send this one again in some seconds',
    {
      retryAfterSeconds: 5,
    },
  );
