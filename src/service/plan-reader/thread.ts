// What runs in a thread of `threads.ts`: one plan file after another.
import { parentPort } from 'node:worker_threads';
import { Fault } from '../../faults.ts';
import { doJob, type Job } from './job.ts';
import type { Answer } from './threads.ts';

parentPort!.on('message', (job: Job) => parentPort!.postMessage(answerTo(job)));

/** What is no fault ends the thread, and is thrown where the job came from. */
function answerTo(job: Job): Answer {
  try {
    return { done: doJob(job) };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const { code, message, errors } = error;
    return { fault: { code, message, ...(errors && { errors }) } };
  }
}
