import { existsSync } from 'node:fs';
import type { JsonObject } from '../plan/json.ts';
import { LARGEST_PROGRAM, type Parsed } from '../program/parse.ts';
import type { DryRun } from './dry-run.ts';
import { LARGEST_BYTES } from './plan-file/bytes.ts';
import type { ReadPlan } from './plan-file.ts';
import { doJob, type Job, type Work } from './plan-reader/job.ts';
import { startThreads } from './plan-reader/threads.ts';

/**
 * Reads plan files and programs for the whole engine, as `readPlanFile`, `dryRun` and `parseProgram` do. What may take long is read
 * in a thread: other requests, and the heartbeats of running tasks, do not wait for it.
 */
export interface PlanReader {
  /** `kept`: what was given for an earlier run. */
  read(orgId: string, text: string, inputs?: JsonObject, kept?: JsonObject): Promise<ReadPlan>;
  dryRun(orgId: string, text: string, inputs?: JsonObject): Promise<DryRun>;
  parse(orgId: string, text: string): Promise<Parsed>;
}

/** Only a built program has it: a thread cannot load the source itself, which is read in place then. */
const THREAD = new URL('./plan-reader/thread.js', import.meta.url);

export function planReader(thread = THREAD): PlanReader {
  const inThread = existsSync(thread) ? startThreads(thread) : undefined;
  const run = async <W extends Work>(orgId: string, job: Job<W>) =>
    inThread && mayTakeLong(job) ? await inThread(orgId, job) : doJob(job);
  return {
    read: (orgId, text, inputs = {}, kept = {}) => run(orgId, { work: 'read', text, inputs, kept }),
    dryRun: (orgId, text, inputs = {}) => run(orgId, { work: 'dryRun', text, inputs }),
    parse: (orgId, text) => run(orgId, { work: 'parse', text }),
  };
}

/** Some milliseconds to read, unless aliases repeat parts of it. */
const SHORT = 32 * 1_024;
/** Programs are denser. */
const SHORT_PROGRAM = 8 * 1_024;

function mayTakeLong({ work, text, inputs = {} }: Job): boolean {
  if (work === 'parse') return text.length > SHORT_PROGRAM && text.length <= LARGEST_PROGRAM;
  // Refused before it is looked at.
  if (text.length > LARGEST_BYTES) return false;
  // Dry runs compute expressions.
  if (work === 'dryRun' || text.length > SHORT) return true;
  return (text.includes('&') && text.includes('*')) || JSON.stringify(inputs).length > SHORT;
}
