import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { CommandName, PlanStatus } from '../../src/plan/lifecycle.ts';
import { localCaller } from '../../src/service/caller.ts';
import type { CommandRequest } from '../../src/service/control-plan.ts';
import type { CreateRequest } from '../../src/service/create-plan.ts';
import { type startWorld, until } from '../support/world.ts';

type World = Awaited<ReturnType<typeof startWorld>>;

/** One thing a plan can go through. Plans name no paths: their tasks work in the plan's own directory. */
export interface Scenario {
  plan: string;
  create?: () => Partial<CreateRequest>;
  script(plan: Driven): Promise<void>;
}

const { permissions, trigger } = localCaller('rest');
export const ADA = { principal: { id: 'ada', name: 'Ada', org_id: 'local' }, permissions, trigger };

/** A plan in a script's hands. */
export function driven(world: World, id: string) {
  const work = join(world.home, 'runs', id, 'work');
  const state = async (): Promise<PlanStatus> => (await world.read(id)).state.status;
  return {
    world,
    id,
    command: (name: CommandName, request: CommandRequest = {}) => world.service.command(ADA, id, name, request),
    is: (status: PlanStatus, ms = 60_000) => until(`it is ${status}`, async () => (await state()) === status, ms),
    /** A file in the plan's directory is there; tasks make them, and look for them. */
    sees: (file: string) => until(`${file} is there`, () => existsSync(join(work, file)), 60_000),
    touch(file: string) {
      mkdirSync(work, { recursive: true });
      writeFileSync(join(work, file), '');
    },
    taskIs: (task: string, status: string) =>
      until(`${task} is ${status}`, async () => (await world.task(id, task)).status === status),
    nextRun: (mode: 'resume' | 'retry') => world.service.nextRun(ADA, id, { mode }),
  };
}
export type Driven = ReturnType<typeof driven>;

const plan = (name: string, tasks: string) => `plan: 1\nname: ${name}\ntasks:\n${tasks}`;
/** Runs until a file of its name is there; says when it has begun. */
const gate = (name: string) => `{ run: "touch began-${name}; until test -f ${name}; do sleep 0.05; done" }`;

/** Every feature whose history shapes what the workflow does; add one with each new feature, never change one. */
export const SCENARIOS: Record<string, Scenario> = {
  'pause-mid-task': {
    plan: plan('pause', `  a: ${gate('go')}\n  b: { needs: [a], run: "true" }\n  w: { wait: 2s }\n`),
    async script({ sees, command, touch, is }) {
      await sees('began-go');
      await command('pause');
      await command('pause').catch(() => undefined);
      touch('go');
      await is('paused');
      await command('resume');
      await is('completed');
    },
  },
  'retry-with-back-off': {
    plan: plan(
      'retry',
      '  a: { run: "echo x >> n; test $(wc -l < n) -ge 3", retry: { max_attempts: 5, delay: 300ms } }\n  b: { needs: [a], run: "true" }\n',
    ),
    async script({ taskIs, command, is }) {
      await taskIs('a', 'backing_off');
      await command('pause').catch(() => undefined);
      await delay(500);
      await command('resume').catch(() => undefined);
      await is('completed');
    },
  },
  'stop-in-flight': {
    plan: plan(
      'stop',
      `  a: ${gate('never')}\n  b: { run: "touch began-b; sleep 60" }\n  c: { needs: [a], run: "true" }\n`,
    ),
    async script({ sees, command, is }) {
      await sees('began-never');
      await sees('began-b');
      await command('stop');
      await is('stopped');
    },
  },
  'cancel-from-temporal': {
    plan: plan('cancel', `  a: ${gate('never')}\n`),
    async script({ sees, world, id, is }) {
      await sees('began-never');
      await world.handle(id).cancel();
      await is('stopped');
    },
  },
  'review-and-start-at': {
    plan: plan('review', '  a: { run: "true" }\n'),
    create: () => ({ review: 'required', start_at: new Date(Date.now() + 6_000).toISOString() }),
    async script({ is, command }) {
      await is('pending_review');
      await command('approve');
      await is('stand_by');
      await is('completed');
    },
  },
  'question-answered': {
    plan: plan(
      'question',
      '  ok: { approve: { prompt: Ship?, options: [ship, reject] } }\n  v: { needs: [ok], set: { by: "${{ tasks.ok.outputs.by }}" } }\n  a: { needs: [v], if: "tasks.ok.outputs.choice == \'ship\'", run: "echo ${{ tasks.v.outputs.by }}" }\n  s: { needs: [v], if: "false", run: "true" }\n',
    ),
    async script({ is, command }) {
      await is('awaiting_input');
      await command('answer', { question: 'ok', choice: 'nonsense' }).catch(() => undefined);
      await command('answer', { request_id: 'first', question: 'ok', choice: 'ship', comment: 'go' });
      await command('answer', { request_id: 'first', question: 'ok', choice: 'ship' }).catch(() => undefined);
      await is('completed');
    },
  },
  'question-timed-out': {
    plan: plan(
      'timed-out',
      '  first: { approve: { prompt: Go on?, timeout: 500ms, on_timeout: approve } }\n  hold: { needs: [first], approve: { prompt: Really?, timeout: 500ms, on_timeout: hold } }\n  last: { needs: [hold], approve: { prompt: Sure?, timeout: 500ms, on_timeout: reject } }\n',
    ),
    async script({ is, taskIs, command }) {
      await taskIs('hold', 'waiting');
      await delay(1_000);
      await command('answer', { question: 'hold', choice: 'approve' });
      await is('failed');
    },
  },
  'hold-and-release': {
    plan: plan('hold', `  a: ${gate('go')}\n  b: { needs: [a], run: "true" }\n`),
    async script({ sees, command, touch, is }) {
      await sees('began-go');
      await command('hold', { task: 'b' });
      touch('go');
      await is('awaiting_input');
      await command('release', { task: 'b' });
      await is('completed');
    },
  },
  'lost-worker': {
    plan: plan(
      'lost',
      `  a: ${gate('go')}\n  b: { run: "touch began-b; sleep 1" }\n  c: { needs: [a, b], run: "true" }\n`,
    ),
    async script({ sees, world, touch, is }) {
      await sees('began-go');
      await sees('began-b');
      await world.stopWorker();
      touch('go');
      await world.startWorker();
      await is('completed');
    },
  },
  'hand-over-with-commands': {
    plan: `plan: 1\nname: hand-over\nmax_parallel: 20\ntasks:\n  ok: { approve: Go on? }\n${Array.from({ length: 560 }, (_, i) => `  t${i}: { needs: [${i ? `t${i - 1}` : ''}], run: "true" }\n`).join('')}`,
    async script({ world, id, command, is }) {
      const done = async () => (await world.read(id)).progress.done;
      while ((await done()) < 555) {
        await command('pause').catch(() => undefined);
        await command('resume').catch(() => undefined);
        await delay(150);
      }
      await until('the chain is through', async () => (await done()) === 560, 60_000);
      await command('approve');
      await is('completed');
    },
  },
  'next-run-after-failure': {
    plan: plan(
      'next-run',
      '  a: { run: "echo kept" }\n  b: { needs: [a], run: "test -f fixed" }\n  c: { needs: [a, b], run: "echo ${{ tasks.a.outputs.stdout }}" }\n',
    ),
    async script({ is, touch, nextRun }) {
      await is('failed');
      touch('fixed');
      await nextRun('resume');
      await is('completed');
    },
  },
  'retry-from-nothing': {
    plan: plan('from-nothing', '  a: { run: "true" }\n  ok: { needs: [a], approve: Go on? }\n'),
    async script({ is, command, nextRun }) {
      await is('awaiting_input');
      await command('answer', { question: 'ok', choice: 'reject' });
      await is('failed');
      await nextRun('retry');
      await is('awaiting_input');
      await command('stop');
      await is('stopped');
    },
  },
};
