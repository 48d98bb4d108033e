import type { Outputs, TaskDefinition } from './definition.ts';
import { initialTask, type TaskState, type TaskStatus } from './state.ts';

/** A task that has ended elsewhere, for those that read it. */
export interface Given {
  id: string;
  kind: string;
  status: TaskStatus;
  outputs?: Outputs;
}

/** It stands in a child's plan as a task that has ended already. */
export const givenTask = ({ id, kind }: Given): TaskDefinition => ({
  id,
  kind,
  mode: 'value',
  needs: [],
  uses: [],
  inputs: [],
  with: null,
  retry: { max_attempts: 1, delay_ms: 0, backoff: 1, max_delay_ms: 0 },
  on_failure: 'continue',
  fingerprint: '',
});

export const givenState = ({ status, outputs }: Given): TaskState => ({
  ...initialTask(),
  status,
  ended_at: 0,
  ...(outputs && { outputs }),
});
