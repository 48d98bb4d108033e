import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { CommandName, PlanStatus } from '../../src/plan/lifecycle.ts';
import { localCaller } from '../../src/service/caller.ts';
import type { CommandRequest } from '../../src/service/control-plan.ts';
import type { CreateRequest } from '../../src/service/create-plan.ts';
import type { RunRequest } from '../../src/service/next-run.ts';
import { type startWorld, until } from '../support/world.ts';

type World = Awaited<ReturnType<typeof startWorld>>;

/** One thing a plan can go through. Plans name no paths: their tasks work in the plan's own directory. */
export interface Scenario {
  plan: string;
  /** Workflow Id of another workflow that has a part in it. */
  beside?: string;
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
    nextRun: (mode: 'resume' | 'retry', more: Partial<RunRequest> = {}) =>
      world.service.nextRun(ADA, id, { mode, ...more }),
  };
}
export type Driven = ReturnType<typeof driven>;

const plan = (name: string, tasks: string) => `plan: 1\nname: ${name}\ntasks:\n${tasks}`;
/** Runs until a file of its name is there; says when it has begun. */
const gate = (name: string) => `{ run: "touch began-${name}; until test -f ${name}; do sleep 0.05; done" }`;

/** A failure that does not matter, what somebody skips, conditions, and a sub-plan that goes on where it was. */
const DECIDED = (last: string) =>
  plan(
    'decided',
    `  flaky: { run: "exit 1", on_failure: hold }\n  opt: { run: "exit 1", on_failure: continue }\n  only: { needs: [opt], if: "tasks.opt.status == 'succeeded'", run: "true" }\n  beside: { needs: [only], if: "tasks.only.status == 'skipped'", run: "true" }\n  sub: { needs: [beside, flaky], if: "true", plan: { tasks: { a: { run: "exit 1", on_failure: continue }, b: { needs: [a], run: "${last}" } } } }\n`,
  );

/** Of all plans like it one runs at a time. */
const IN_GROUP = (tasks: string) =>
  `plan: 1\nname: in-group\nconcurrency: { group: recorded, max: 1 }\ntasks:\n${tasks}`;
const IN_LINE = (tasks: string) => IN_GROUP(tasks).replace('recorded', 'line');
/** Where the recorded tasks work. */
export const PLACE = { env: { PATH: '/usr/local/bin:/usr/bin:/bin' } };

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
  'pause-at-hand-over': {
    plan: plan('pause-at-hand-over', '  ok: { approve: Go on? }\n'),
    async script({ world, id, command, is }) {
      await is('awaiting_input');
      await world.stopWorker();
      // Sent by hand, they are refused, and fill the history.
      for (let rounds = 25; rounds > 0; rounds--)
        await Promise.all(Array.from({ length: 100 }, () => world.handle(id).signal('release')));
      await world.handle(id).signal('pause');
      await world.startWorker();
      await is('paused');
      await command('resume');
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
  'map-with-failures': {
    plan: plan(
      'map',
      '  list: { run: "seq 1 6", capture: lines }\n  each: { needs: [list], map: { in: tasks.list.outputs.stdout, max_parallel: 2, task: { run: "test ${{ item }} != 3 || test -f fixed", retry: { max_attempts: 2, delay: 100ms } } } }\n  end: { needs: [each], run: "echo ${{ tasks.each.outputs.succeeded }}" }\n',
    ),
    async script({ is, touch, nextRun }) {
      await is('failed');
      touch('fixed');
      await nextRun('resume');
      await is('completed');
    },
  },
  'map-with-gates': {
    plan: plan(
      'gates',
      '  each: { map: { in: [x, y, z], fail_fast: false, task: { approve: "ship ${{ item }}?", on_failure: continue } } }\n',
    ),
    async script({ world, id, command, is }) {
      await until('three are open', async () => (await world.read(id)).questions.length === 3);
      await command('pause');
      await command('answer', { question: 'each[0].1', choice: 'approve' });
      await command('resume');
      await command('answer', { question: 'each[1].1', choice: 'reject' });
      await command('answer', { question: 'each[2].1', choice: 'approve' });
      await is('completed');
    },
  },
  'map-in-batches': {
    plan: plan(
      'batches',
      '  list: { run: "seq 1 900", capture: lines }\n  each: { needs: [list], map: { in: tasks.list.outputs.stdout, max_parallel: 50, task: { set: { n: "${{ int(item) * 2 }}" } } } }\n  last: { needs: [each], set: { n: "${{ tasks.each.outputs.results[899].outputs.n }}" } }\n',
    ),
    async script({ is }) {
      await is('completed');
    },
  },
  'map-stopped': {
    plan: plan(
      'map-stop',
      '  each: { map: { in: [1, 2, 3, 4], max_parallel: 2, task: { run: "touch began-${{ item }}; sleep 60" } } }\n',
    ),
    async script({ sees, command, is }) {
      await sees('began-2');
      await command('stop');
      await is('stopped');
    },
  },
  'sub-plan': {
    plan: plan(
      'sub',
      `  sub:\n    plan:\n      inputs: { n: "\${{ 20 + 1 }}" }\n      outputs: { twice: "\${{ tasks.v.outputs.twice }}" }\n      tasks:\n        a: ${gate('go')}\n        ok: { needs: [a], approve: Go? }\n        v: { needs: [ok], set: { twice: "\${{ inputs.n * 2 }}" } }\n        h: { needs: [v], run: "true" }\n  end: { needs: [sub], set: { n: "\${{ tasks.sub.outputs.twice }}" } }\n`,
    ),
    async script({ sees, command, touch, is }) {
      await sees('began-go');
      await command('pause');
      touch('go');
      await is('paused');
      await command('resume');
      await is('awaiting_input');
      await command('hold', { task: 'sub/h' });
      await command('approve');
      await is('awaiting_input');
      await command('release', { task: 'sub/h' });
      await is('completed');
    },
  },
  'sub-plan-fails-and-goes-on': {
    plan: plan(
      'sub-fail',
      '  sub: { plan: { steps: [{ run: "true" }, { run: "test -f fixed" }] } }\n  beside: { wait: 1s }\n',
    ),
    async script({ is, touch, nextRun }) {
      await is('failed');
      touch('fixed');
      await nextRun('resume');
      await is('completed');
    },
  },
  'iterations-fail-and-go-on': {
    plan: `plan: 1
name: iterations
inputs: { who: { default: ann } }
iterate: { over: { command: "echo one; echo two; echo three" }, as: thing }
steps:
  - { id: a, run: "echo \${{ thing }} \${{ index }} \${{ inputs.who }}" }
  - { id: b, run: "test \${{ thing }} != two || test -f fixed" }\n`,
    async script({ is, touch, nextRun }) {
      await is('failed');
      touch('fixed');
      await nextRun('resume');
      await is('completed');
    },
  },
  'sub-plan-wound-down': {
    plan: plan(
      'wind-down',
      `  sub: { plan: { steps: [{ run: "touch began-a; sleep 1" }, { run: "true" }] } }\n  bad: { run: "until test -f began-a; do sleep 0.05; done; exit 3" }\n`,
    ),
    async script({ is }) {
      await is('failed');
    },
  },
  segments: {
    plan: `plan: 1\nname: segments\ntasks:\n  long: { run: "until test -f end; do sleep 0.1; done" }\n${Array.from({ length: 560 }, (_, i) => `  t${i}: { needs: [${i ? `t${i - 1}` : ''}], run: "true" }\n`).join('')}  last: { needs: [long, t500], run: "true" }\n`,
    async script({ world, id, command, touch, is }) {
      await until('a segment is at work', async () => (await world.read(id)).children.length > 0, 120_000);
      await command('pause');
      await command('resume');
      await until('the chain is through', async () => (await world.task(id, 't559')).status === 'succeeded', 120_000);
      touch('end');
      await is('completed');
    },
  },
  'on-failure-hold': {
    plan: plan(
      'decide',
      '  a: { run: "test -f fixed", on_failure: hold }\n  b: { run: "exit 1", on_failure: hold }\n  c: { run: "exit 1", on_failure: hold }\n  d: { needs: [a, b], run: "true" }\n',
    ),
    async script({ world, id, command, touch, is }) {
      await until('three are open', async () => (await world.read(id)).questions.length === 3);
      touch('fixed');
      await command('answer', { question: 'a', choice: 'retry' });
      await command('answer', { question: 'b', choice: 'complete', values: { n: 1 } });
      await command('answer', { question: 'c', choice: 'skip' });
      await is('completed');
    },
  },
  'handlers-and-deadline': {
    plan: 'plan: 1\nname: handlers\ndeadline: 1s\non_failure: { run: "echo ${{ plan.error }}" }\nfinally: [{ run: "true" }, { run: "exit 1" }]\ntasks:\n  a: { run: "sleep 30" }\n  b: { needs: [a], run: "true" }\n',
    async script({ is }) {
      await is('failed');
    },
  },
  'forms-and-checkpoints': {
    plan: plan(
      'forms',
      '  who: { input: { prompt: Who?, form: { age: { type: integer, minimum: 0 }, city: { type: string, default: Oslo } } } }\n  way: { needs: [who], checkpoint: { prompt: Which way?, options: [left, right], timeout: 500ms } }\n  end: { needs: [way], set: { all: "${{ tasks.who.outputs.values.city + tasks.way.outputs.choice }}" } }\n',
    ),
    async script({ is, command }) {
      await is('awaiting_input');
      await command('answer', { question: 'who', values: { age: -1 } }).catch(() => undefined);
      await command('answer', { question: 'who', values: { age: 41 } });
      await is('completed');
    },
  },
  'large-outputs': {
    plan: plan(
      'large',
      `  big: { run: "head -c 100000 /dev/zero | tr '\\\\0' x" }\n  yes: { needs: [big], if: "size(tasks.big.outputs.stdout) == 100000", run: "true" }\n  n: { needs: [big], set: { n: "\${{ size(tasks.big.outputs.stdout) }}" } }\n  ok: { needs: [n], approve: "\${{ tasks.n.outputs.n }}?" }\n`,
    ),
    async script({ is, command }) {
      await is('awaiting_input');
      await command('approve');
      await is('completed');
    },
  },
  'files-inside': {
    plan: plan(
      'files-inside',
      `  sub: { plan: { outputs: { n: "\${{ tasks.a.outputs.stdout }}" }, tasks: {
    a: { run: "echo a | tee a.txt", outputs: [a.txt] },
    each: { needs: [a], map: { in: [b, c, d], as: name, task: { run: "echo 1 > \${{ name }}.txt", outputs: ["\${{ name }}.txt"] } } } } } }
  read: { needs: [sub], run: "echo \${{ tasks.sub.outputs.n }}" }
  last: { needs: [read], run: "test -f ok || { touch ok; rm a.txt c.txt; false; }" }\n`,
    ),
    async script({ is, nextRun }) {
      await is('failed');
      await nextRun('resume');
      await is('completed');
    },
  },
  'resume-keeps-what-was-decided': {
    plan: DECIDED('exit 1'),
    async script({ is, command, nextRun, taskIs, touch }) {
      await taskIs('flaky', 'waiting');
      await command('answer', { question: 'flaky', choice: 'skip' });
      await is('failed');
      await nextRun('resume', { plan: DECIDED('test -f ok') });
      await is('failed');
      touch('ok');
      await nextRun('resume', { from: 'opt' });
      await is('completed');
    },
  },
  'group-of-plans': {
    plan: IN_GROUP(`  a: ${gate('a')}\n  ok: { needs: [a], approve: Go on? }\n  b: { needs: [ok], run: "true" }\n`),
    beside: 'group/local/recorded',
    async script({ world, id, sees, command, touch, is }) {
      await sees('began-a');
      const { plan_id } = await world.service.create(ADA, { plan: IN_GROUP(`  q: ${gate('q')}\n`), place: PLACE });
      const other = driven(world, plan_id);
      await other.is('stand_by');
      // Long enough for a look at who has the slot.
      await delay(6_000);
      await command('pause');
      touch('a');
      await is('paused');
      await other.sees('began-q');
      await command('resume');
      await is('stand_by');
      await command('pause');
      await command('resume');
      other.touch('q');
      await other.is('completed');
      await is('awaiting_input');
      await command('approve');
      await is('completed');
      const line = world.client.workflow.getHandle('group/local/recorded');
      for (const handle of [world.handle(id), line])
        await until('it has closed', async () => (await handle.describe()).status.name !== 'RUNNING');
    },
  },
  'line-of-a-group': {
    plan: IN_LINE(`  a: ${gate('a')}\n`),
    beside: 'group/local/line',
    async script({ world, id, sees, touch }) {
      await sees('began-a');
      const others: Driven[] = [];
      for (const name of ['q', 'r']) {
        const { plan_id } = await world.service.create(ADA, {
          plan: IN_LINE(`  ${name}: ${gate(name)}\n`),
          place: PLACE,
        });
        others.push(driven(world, plan_id));
        await others.at(-1)!.is('stand_by');
      }
      const [q, r] = others as [Driven, Driven];
      // Long enough for a look at who has the slot.
      await delay(6_000);
      await q.command('pause');
      await q.command('resume');
      touch('a');
      await r.sees('began-r');
      r.touch('r');
      await q.sees('began-q');
      q.touch('q');
      const line = world.client.workflow.getHandle('group/local/line');
      for (const handle of [world.handle(id), line])
        await until('it has closed', async () => (await handle.describe()).status.name !== 'RUNNING');
    },
  },
};
