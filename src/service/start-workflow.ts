import type { Client, WorkflowStartOptions } from '@temporalio/client';
import { ENGINE_QUEUE, PLAN_WORKFLOW, workflowId } from '../contract/names.ts';
import { pack, unpack } from '../contract/packed.ts';
import { PayloadTooLarge, payload } from '../contract/payload-size.ts';
import type { PlanInput, SessionStands, Worktree } from '../contract/payloads.ts';
import { SEARCH_ATTRIBUTES } from '../contract/search-attributes.ts';
import { Fault } from '../faults.ts';
import type { Progress } from '../plan/progress.ts';
import type { OperationFacts } from './execute/facts.ts';
import { searchable } from './searchable.ts';

/** What is noted of a plan when it is made, for as long as Temporal keeps it, over all its runs. */
export interface PlanFacts {
  /** Of the request it was made from. */
  body_hash: string;
  /** ms since the epoch. */
  created_at: number;
  labels?: Record<string, string>;
  enrollment?: Enrollment;
  /** Of a next run: where it begins, for as long as no worker has begun it. */
  begins?: { run: number; progress: Progress };
  /** Which surface and tool started its latest run, such as `mcp plan_resume`. */
  trigger?: string;
  session?: SessionFacts;
  /** Of a session: where its latest run stood when it last came to a stand. */
  stands?: SessionStands;
  /** How often it has been resumed; a retry does not count. */
  resume_count?: number;
  /** The Git worktree it works in. */
  worktree?: Worktree;
  /** Of a pipeline of agents: the chat it works for. */
  pipeline?: PipelineFacts;
  /** Of an operation of a session of programs. */
  operation?: OperationFacts;
}

export interface PipelineFacts {
  chat_id: string;
  project_id?: string;
  /** Of the message that started it: the same again starts no other. */
  request_id?: string;
  /** Hash of that message: another one under the same id is refused. */
  said?: string;
}

/** What a command line notes of the plan that it starts. */
export interface SessionFacts {
  /** Of these very words; a session with another number was started by another Holdpoint. */
  format: number;
  /** Readable, and no other session's. */
  id: string;
  /** Absolute path of its file; absent when it came by standard input. */
  file?: string;
  /** SHA-256 of the file's text, hex. */
  file_hash: string;
  /** Absolute directory that it was started in. */
  directory: string;
}
export const SESSION_FORMAT = 1;

/** The plan is the n-th of a key. */
export interface Enrollment {
  key: string;
  policy: 'once' | 'multiple';
  n: number;
}

type IdPolicies = Pick<WorkflowStartOptions, 'workflowIdReusePolicy' | 'workflowIdConflictPolicy'>;

/** Starts a run of a plan: its first, or a next one. Throws what Temporal answers when the id is taken, else PLAN_TOO_LARGE. */
export async function startWorkflow(
  client: Client,
  input: PlanInput,
  facts: PlanFacts,
  policies: IdPolicies,
): Promise<void> {
  const { principal, plan_id, review, start_at } = input;
  const { name, description } = unpack(input.definition);
  const { labels = {}, enrollment, created_at, session } = facts;
  // Where the run before stood is not where this one does.
  const { stands: _, ...noted } = facts;
  const later = start_at !== undefined && start_at > Date.now();
  await client.workflow.start(PLAN_WORKFLOW, {
    ...policies,
    workflowId: workflowId(principal.org_id, plan_id),
    taskQueue: ENGINE_QUEUE,
    args: [fitting({ ...input, definition: pack(unpack(input.definition)), inputs: pack(unpack(input.inputs)) }, name)],
    // A worker killed in the middle of a Workflow Task costs up to this.
    workflowTaskTimeout: '5s',
    memo: { name, ...noted },
    searchAttributes: {
      [SEARCH_ATTRIBUTES.state.name]: [review ? 'pending_review' : later ? 'stand_by' : 'executing'],
      [SEARCH_ATTRIBUTES.plan.name]: [searchable(name)],
      [SEARCH_ATTRIBUTES.org.name]: [searchable(principal.org_id)],
      [SEARCH_ATTRIBUTES.owner.name]: [searchable(principal.id)],
      [SEARCH_ATTRIBUTES.created.name]: [new Date(created_at)],
      ...(session && { [SEARCH_ATTRIBUTES.session.name]: [searchable(session.id)] }),
      ...(enrollment && { [SEARCH_ATTRIBUTES.enrollment.name]: [searchable(enrollment.key)] }),
      ...(Object.keys(labels).length > 0 && {
        [SEARCH_ATTRIBUTES.labels.name]: Object.entries(labels).map((label) => searchable(labelWord(label))),
      }),
    },
    staticSummary: name.slice(0, 100),
    ...(description && { staticDetails: description.slice(0, 10_000) }),
  });
}

/** A label as lists are filtered by it. */
export const labelWord = ([key, value]: [string, string]): string => `${key}=${value}`;

function fitting(input: PlanInput, name: string): PlanInput {
  try {
    return payload(`the plan ${name} with its inputs`, input);
  } catch (error) {
    if (error instanceof PayloadTooLarge) throw new Fault('PLAN_TOO_LARGE', error.message);
    throw error;
  }
}
