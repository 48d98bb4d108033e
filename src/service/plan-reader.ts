import { existsSync } from 'node:fs';
import type { JsonObject } from '../plan/json.ts';
import type { DryRun } from './dry-run.ts';
import { LARGEST_BYTES } from './plan-file/bytes.ts';
import type { ReadPlan } from './plan-file.ts';
import { doJob, type Job, type Work } from './plan-reader/job.ts';
import { startThreads } from './plan-reader/threads.ts';

/**
 * Reads plan files for the whole engine, as `readPlanFile` and `dryRun` do. What may take long is read in a thread: other
 * requests, and the heartbeats of running tasks, do not wait for it.
 */
export interface PlanReader {
  /** `kept`: what was given for an earlier run. */
  read(orgId: string, text: string, inputs?: JsonObject, kept?: JsonObject): Promise<ReadPlan>;
  dryRun(orgId: string, text: string, inputs?: JsonObject): Promise<DryRun>;
}

/** Only a built program has it: a thread cannot load the source itself, which is read in place then. */
const THREAD = new URL('./plan-reader/thread.js', import.meta.url);

export function planReader(): PlanReader {
  const inThread = existsSync(THREAD) ? startThreads(THREAD) : undefined;
  const run = async <W extends Work>(orgId: string, job: Job<W>) =>
    inThread && mayTakeLong(job) ? await inThread(orgId, job) : doJob(job);
  return {
    read: (orgId, text, inputs = {}, kept = {}) => run(orgId, { work: 'read', text, inputs, kept }),
    dryRun: (orgId, text, inputs = {}) => run(orgId, { work: 'dryRun', text, inputs }),
  };
}

/** Some milliseconds to read, unless aliases repeat parts of it. */
const SHORT = 32 * 1_024;

function mayTakeLong({ work, text, inputs }: Job): boolean {
  // Refused before it is looked at.
  if (text.length > LARGEST_BYTES) return false;
  // Dry runs compute expressions.
  if (work === 'dryRun' || text.length > SHORT) return true;
  return (text.includes('&') && text.includes('*')) || JSON.stringify(inputs).length > SHORT;
}
