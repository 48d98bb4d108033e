import type { AttemptInput, AttemptResult } from '../contract/payloads.ts';
import type { TaskKind } from '../plan/kind.ts';
import type { ArtifactStore } from './artifact-store.ts';
import type { LlmLedger } from './llm/ledger.ts';
import type { LlmModels } from './llm/models.ts';
import type { Secrets } from './secrets.ts';

/** What an attempt may use besides its input. */
export interface AttemptContext {
  /** Aborts when the attempt is to end: stop, time-out, or its worker going away. */
  signal: AbortSignal;
  store: ArtifactStore;
  /** Hosts that requests may reach although their addresses are not public. */
  allowPrivateHosts: readonly string[];
  /** `HOLDPOINT_AGENT_COMMAND`, as words. */
  agentCommand: readonly string[];
  /** What its words name as `secrets`. Whatever it leaves for others is masked by it; messages of failures are. */
  secrets: Secrets;
  /** Folder of this plan on this machine, for what belongs to it: work, scripts, logs. */
  planFolder: string;
  /** Tells the record of running attempts which process group to end should this worker die. */
  onProcessGroup(group: number): void;
  /** Something was written, or is about to be: the task is not silent. Cheap; called for every chunk. */
  onOutput(): void;
  /** Something is kept behind which another dispatch goes on: losing this worker is no loss of it. Cheap; may be called often. */
  onKept(): void;
  /** A model is about to be called, or just was. */
  onLlmCall(): void;
  /** Those that it may call. */
  models: LlmModels;
  /** Where its calls of models are counted. */
  ledger: LlmLedger;
}

/** A kind whose tasks are carried out by an activity of the kind's name. */
export interface ActivityKind<Words, More extends object = Record<string, unknown>> extends TaskKind<Words, More> {
  mode: 'activity';
  execute(input: AttemptInput, context: AttemptContext): Promise<AttemptResult>;
}

/**
 * Why another attempt cannot mend a failure: what the plan says cannot be done, or it would only fail again. `limit`: a limit
 * was reached, which is not the task's fault; the plan is held, and the attempt is made again when the limit was raised.
 */
type Final = 'invalid' | 'hopeless' | 'limit';

/** The task's own failure, told to people; `final` when another attempt cannot mend it. */
export class TaskFailure extends Error {
  override readonly name = 'TaskFailure';
  readonly final: boolean;
  readonly why: Final | undefined;
  readonly details: Record<string, string | number> | undefined;

  constructor(message: string, options: { final?: Final | false; details?: Record<string, string | number> } = {}) {
    super(message);
    this.why = options.final || undefined;
    this.final = this.why !== undefined;
    this.details = options.details;
  }
}
