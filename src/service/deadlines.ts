import { Client } from '@temporalio/client';

/** How long Temporal has for what plans are asked and told by. Queries have a patience of their own; see queries.ts. */
const DEADLINES_MS = {
  describeWorkflowExecution: 3_000,
  listWorkflowExecutions: 3_000,
  signalWorkflowExecution: 3_000,
  getWorkflowExecutionHistoryReverse: 3_000,
  // A page of it may have megabytes.
  getWorkflowExecutionHistory: 10_000,
  startWorkflowExecution: 10_000,
} as const;
type Method = keyof typeof DEADLINES_MS;
export type Deadlines = Readonly<Record<Method, number>>;

/** The client, with an end to every call: a Temporal that is there and does not answer would otherwise hold all callers for ever. */
export function withDeadlines(client: Client, deadlines: Deadlines = DEADLINES_MS): Client {
  const { connection, options } = client;
  const { workflowService } = connection;
  const limited = (name: Method): PropertyDescriptor => {
    const call = (request: unknown) => (workflowService[name] as (request: unknown) => Promise<unknown>)(request);
    return { value: (request: unknown) => connection.withDeadline(Date.now() + deadlines[name], () => call(request)) };
  };
  const methods = Object.fromEntries((Object.keys(deadlines) as Method[]).map((name) => [name, limited(name)]));
  const value = Object.create(workflowService, methods);
  return new Client({
    connection: Object.create(connection, { workflowService: { value } }),
    namespace: options.namespace,
    identity: options.identity,
  });
}
