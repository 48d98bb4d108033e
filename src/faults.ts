/**
 * The closed set of faults: what a caller of any surface can be told.
 * `http` is the status of REST, `exit` the exit code of the command line, `retryable` whether the same call may succeed later.
 */
export const FAULTS = {
  CONFIG_INVALID: { http: 500, exit: 2, retryable: false, title: 'The configuration is not valid' },
  REQUEST_MALFORMED: { http: 400, exit: 2, retryable: false, title: 'This is no HTTP request' },
  USAGE: { http: 400, exit: 2, retryable: false, title: 'The command or request is not valid' },
  PLAN_INVALID: { http: 422, exit: 2, retryable: false, title: 'The plan is not valid' },
  PLAN_TOO_LARGE: { http: 422, exit: 2, retryable: false, title: 'The plan is too large' },
  PROGRAM_INVALID: { http: 422, exit: 2, retryable: false, title: 'The program is not valid' },
  CATALOG_INVALID: { http: 422, exit: 2, retryable: false, title: 'The catalog is not valid' },
  REQUEST_INVALID: { http: 422, exit: 2, retryable: false, title: 'The request is not valid' },
  ANSWER_INVALID: { http: 422, exit: 2, retryable: false, title: 'The answer is not valid' },
  PLAN_NOT_FOUND: { http: 404, exit: 3, retryable: false, title: 'No such plan' },
  TASK_NOT_FOUND: { http: 404, exit: 3, retryable: false, title: 'No such task' },
  QUESTION_NOT_FOUND: { http: 404, exit: 3, retryable: false, title: 'No such question' },
  CATALOG_NOT_FOUND: { http: 404, exit: 3, retryable: false, title: 'No such catalog' },
  HANDLE_NOT_FOUND: { http: 404, exit: 3, retryable: false, title: 'No such handle' },
  OUTPUT_NOT_FOUND: { http: 404, exit: 3, retryable: false, title: 'No such output' },
  COMMAND_NOT_FOUND: { http: 404, exit: 3, retryable: false, title: 'No such command' },
  ROUTE_NOT_FOUND: { http: 404, exit: 3, retryable: false, title: 'No such address' },
  UNAUTHENTICATED: { http: 401, exit: 4, retryable: false, title: 'Who are you?' },
  PLAN_FORBIDDEN: { http: 403, exit: 4, retryable: false, title: 'Not allowed' },
  METHOD_NOT_ALLOWED: { http: 405, exit: 2, retryable: false, title: 'Method not allowed' },
  PLAN_INVALID_STATE: { http: 400, exit: 5, retryable: false, title: 'Not possible in this state' },
  REQUEST_TIMEOUT: { http: 408, exit: 6, retryable: true, title: 'The request did not come in time' },
  PLAN_NOT_RESUMABLE: { http: 409, exit: 5, retryable: false, title: 'The plan cannot be resumed' },
  PLAN_EXISTS: { http: 409, exit: 5, retryable: false, title: 'The plan exists already' },
  SESSION_RUNNING: { http: 409, exit: 9, retryable: true, title: 'The session is running elsewhere' },
  SESSION_OF_OTHER_FILE: { http: 409, exit: 10, retryable: false, title: 'The session is of another file' },
  SESSION_FILE_EDITED: { http: 409, exit: 11, retryable: false, title: 'The file of the session was edited' },
  SESSION_TOO_OLD: { http: 409, exit: 12, retryable: false, title: 'The session is of an older format' },
  COST_LIMIT: { http: 409, exit: 5, retryable: false, title: 'A limit is reached' },
  ENROLLMENT_BLOCKED: { http: 409, exit: 5, retryable: false, title: 'Blocked by an earlier plan' },
  PIPELINE_RUNNING: { http: 409, exit: 5, retryable: true, title: 'A pipeline of the chat is at work' },
  REVIEW_REQUIRED: { http: 409, exit: 5, retryable: false, title: 'The program has to be reviewed' },
  COMMIT_UNKNOWN: { http: 409, exit: 5, retryable: false, title: 'No such dry run' },
  COMMIT_EXPIRED: { http: 409, exit: 5, retryable: false, title: 'The dry run no longer holds' },
  COMMIT_MISMATCH: { http: 409, exit: 5, retryable: false, title: 'The dry run is of another program' },
  QUESTION_CLOSED: { http: 409, exit: 5, retryable: false, title: 'The question is not open' },
  ENGINE_RUNNING: { http: 409, exit: 5, retryable: false, title: 'An engine runs already' },
  OUTPUT_GONE: { http: 410, exit: 3, retryable: false, title: 'The output is no longer kept' },
  HANDLE_EXPIRED: { http: 410, exit: 3, retryable: false, title: 'The handle has expired' },
  COMMAND_FORGOTTEN: { http: 410, exit: 3, retryable: false, title: 'The outcome is no longer kept' },
  BODY_TOO_LARGE: { http: 413, exit: 2, retryable: false, title: 'The request is too large' },
  MEDIA_TYPE_UNSUPPORTED: { http: 415, exit: 2, retryable: false, title: 'The content type is not supported' },
  RANGE_INVALID: { http: 416, exit: 2, retryable: false, title: 'There is no such part' },
  EXPECTATION_FAILED: { http: 417, exit: 2, retryable: false, title: 'What is expected is not known' },
  HEADERS_TOO_LARGE: { http: 431, exit: 2, retryable: false, title: 'The headers are too large' },
  RATE_LIMITED: { http: 429, exit: 6, retryable: true, title: 'Too many requests' },
  OPERATION_FAILED: { http: 502, exit: 1, retryable: true, title: 'The program failed' },
  IDENTITY_UNAVAILABLE: { http: 503, exit: 6, retryable: true, title: 'Nobody can be identified' },
  UPGRADE_REQUIRED: { http: 426, exit: 2, retryable: false, title: 'A WebSocket is expected' },
  ENGINE_UNAVAILABLE: { http: 503, exit: 6, retryable: true, title: 'The engine cannot be reached' },
  INTERNAL: { http: 500, exit: 1, retryable: true, title: 'Something went wrong inside Holdpoint' },
} as const satisfies Record<string, FaultRow>;

interface FaultRow {
  http: number;
  exit: number;
  retryable: boolean;
  title: string;
}

export type FaultCode = keyof typeof FAULTS;

/** A wrong place in a plan file or request body. `line` and `column` count from 1. */
export interface Problem {
  message: string;
  /** Where in the document: keys and indexes from the top. */
  path: (string | number)[];
  line?: number;
  column?: number;
}

export interface BlockedBy {
  plan_id: string;
  state: { status: string };
}

/** A limit that is in the way, with its numbers. */
export interface LimitInTheWay {
  errorType: 'cost_limit';
  limit: string;
  /** What is spent, and reserved by calls in flight. */
  spent: number;
  max: number;
  /** By how much it would have to be raised, at least. */
  missing: number;
  unit: 'tokens' | 'cost';
}

interface FaultOptions {
  cause?: unknown;
  errors?: readonly Problem[];
  blocked_by?: BlockedBy;
  limit?: LimitInTheWay;
  retryAfterSeconds?: number;
}

/** The one error every layer throws on purpose. `message` says what is wrong, where, and what to do. */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly code: FaultCode;
  readonly errors: readonly Problem[] | undefined;
  /** After how long the same may succeed, where that is known. */
  readonly retryAfterSeconds: number | undefined;
  /** The plan in the way. */
  readonly blocked_by: BlockedBy | undefined;
  readonly limit: LimitInTheWay | undefined;

  constructor(code: FaultCode, message: string, options: FaultOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.errors = options.errors;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.blocked_by = options.blocked_by;
    this.limit = options.limit;
  }
}

/** Turns whatever was thrown into a fault; what is not one becomes INTERNAL and keeps its cause. */
export function asFault(thrown: unknown): Fault {
  if (thrown instanceof Fault) return thrown;
  if (isUnanswered(thrown) || (thrown instanceof Error && isUnanswered(thrown.cause)))
    return new Fault('ENGINE_UNAVAILABLE', 'Temporal did not answer in time', { cause: thrown });
  return new Fault('INTERNAL', thrown instanceof Error ? thrown.message : String(thrown), { cause: thrown });
}

/** gRPC's CANCELLED (what Temporal's client calls a time-out of its own), DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED ("Workflow is busy") and UNAVAILABLE. */
const UNANSWERED = [1, 4, 8, 14];
const isUnanswered = (thrown: unknown): boolean =>
  thrown instanceof Error && 'details' in thrown && 'code' in thrown && UNANSWERED.includes(thrown.code as number);
