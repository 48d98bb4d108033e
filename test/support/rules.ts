import { asideEnded } from '../../src/plan/asides.ts';
import { begin } from '../../src/plan/begin.ts';
import type { Child, ChildResult, Told } from '../../src/plan/child.ts';
import { childEnded } from '../../src/plan/child-endings.ts';
import { applyCommand, type Command } from '../../src/plan/commands.ts';
import type { PlanDefinition, TaskDefinition } from '../../src/plan/definition.ts';
import type { AsideWork } from '../../src/plan/effects.ts';
import type { Json } from '../../src/plan/json.ts';
import type { CommandName } from '../../src/plan/lifecycle.ts';
import { type LimitDetails, limitTold } from '../../src/plan/limits.ts';
import type { Outcome } from '../../src/plan/outcome.ts';
import { type Plan, planState, type Room } from '../../src/plan/plan.ts';
import { advance } from '../../src/plan/scheduler.ts';
import { attemptEnded } from '../../src/plan/task-endings.ts';

type TaskSketch = Partial<Omit<TaskDefinition, 'needs' | 'uses'>> & { needs?: string[] };

/** A definition from a sketch: tasks by id; kind and mode default to a command. */
export function define(tasks: Record<string, TaskSketch>, plan: Partial<PlanDefinition> = {}): PlanDefinition {
  const ids = Object.keys(tasks);
  return {
    schema_version: 1,
    name: 'sketch',
    max_parallel: 100,
    ...plan,
    tasks: Object.entries(tasks).map(([id, { needs = [], ...sketch }]) => ({
      id,
      kind: 'run',
      mode: 'activity',
      needs: needs.map((need) => ids.indexOf(need)),
      uses: needs.map((need) => ids.indexOf(need)),
      inputs: [],
      with: {},
      retry: { max_attempts: 1, delay_ms: 1_000, backoff: 2, max_delay_ms: 60_000 },
      on_failure: 'fail',
      fingerprint: id,
      ...sketch,
    })),
  };
}

export const approval = (needs: string[] = [], more: object = {}): TaskSketch => ({
  kind: 'approve',
  mode: 'question',
  needs,
  with: { prompt: 'Go on?', options: ['approve', 'reject'], ...more },
});

/** Drives the rules as the workflow does, with a clock and attempts of its own. */
export function drive(definition: PlanDefinition, start: { review?: boolean; start_at?: number } = {}) {
  let now = 1_000_000;
  let request = 0;
  const plan: Plan = begin(
    {
      plan_id: 'p',
      path: '',
      definition,
      inputs: {},
      principal: { name: 'Ada' },
      review: start.review ?? false,
      start_at: start.start_at,
    },
    now,
  );
  const started: string[] = [];
  let cancelled = false;
  const children: Child[] = [];
  const asides: { task: number; work: AsideWork }[] = [];
  const step = () => {
    const effects = advance(plan, now);
    started.push(...effects.attempts.map((i) => definition.tasks[i]!.id));
    children.push(...effects.children);
    asides.push(...effects.asides);
    cancelled ||= effects.cancel;
  };
  step();
  const end = (id: string, how: Parameters<typeof attemptEnded>[2]) => {
    attemptEnded(plan, plan.index.byId.get(id)!, how, now);
    step();
  };
  return {
    plan,
    /** Ids of the attempts dispatched so far, in order. */
    started,
    /** Child workflows begun so far, in order. */
    children,
    /** Ids of tasks for which something was asked to be computed, and what. */
    asides: () => asides.map(({ task, work }) => `${definition.tasks[task]!.id}: ${work.what}`),
    endAside(result: { ok: Json } | { error: string }) {
      const { task, work } = asides.shift()!;
      asideEnded(plan, task, work, result, now);
      step();
    },
    endChild(key: string, result: Omit<ChildResult, 'schema_version'>) {
      childEnded(plan, plan.index.children.get(key)!, { schema_version: 1, ...result }, now);
      step();
    },
    tell(key: string, told: Told) {
      plan.index.children.get(key)!.told = told;
      step();
    },
    /** The history has this much room from now on. */
    room(room: Room) {
      plan.index.room = room;
      step();
    },
    now: () => now,
    wasCancelled: () => cancelled,
    status: () => planState(plan).status,
    task: (id: string) => plan.state.tasks[plan.index.byId.get(id)!]!,
    events: (...types: string[]) =>
      plan.state.events.filter((event) => types.length === 0 || types.includes(event.type)),
    /** Time passes, and nobody is there to notice. */
    absent(ms: number) {
      now += ms;
    },
    pass(ms: number) {
      now += ms;
      step();
    },
    command(name: CommandName, more: Partial<Command> = {}): Outcome {
      const given = { request_id: `r${++request}`, actor: { id: 'ada', name: 'Ada' }, at: now, ...more };
      const outcome = applyCommand(plan, name, given, now);
      step();
      return outcome;
    },
    succeed: (id: string, outputs = {}) => end(id, { status: 'succeeded', outputs }),
    fail: (id: string) =>
      end(id, { status: 'failed', error: { code: 'TASK_FAILED', message: 'exit code 1' }, retryable: true }),
    limit: (id: string, limit: LimitDetails) => end(id, { status: 'limited', limit }),
    limitTold(key: string, told: Told & { limited: NonNullable<Told['limited']> }) {
      plan.index.children.get(key)!.told = told;
      limitTold(plan, key, told.limited, now);
      step();
    },
    lose: (id: string, more: { kept?: true } = {}) => end(id, { status: 'lost', message: 'its worker died', ...more }),
    cancel: (id: string) => end(id, { status: 'cancelled' }),
  };
}
