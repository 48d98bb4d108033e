import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordPlace } from '../../src/service/place.ts';
import { caller, startWorld, tempDir, until, witness } from '../support/world.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  await world.stop();
});

const linesOf = (path: string) => readFileSync(path, 'utf8').trimEnd().split('\n');

test('the steps are done once for every input, one input after another, and read what is theirs', async () => {
  const w = witness();
  const id = await world.create(`
plan: 1
name: it
inputs: { who: { type: string, default: ann }, "with-hyphen": { type: string, default: bob } }
env: { FROM_PLAN: env }
iterate: { over: [one, { name: two }, 3], as: thing }
steps:
  - id: first
    run: 'echo "\${{ index }} \${{ thing }} \${{ inputs.who }} \${{ inputs["with-hyphen"] }} $FROM_PLAN" >> ${w.path('log')}; echo out-\${{ index }}'
  - run: 'echo "  \${{ tasks.first.outputs.stdout }} \${{ plan.name }}" >> ${w.path('log')}'
finally: { run: 'echo "end \${{ plan.status }}" >> ${w.path('log')}' }
`);
  await world.reaches(id, 'completed');
  expect(linesOf(w.path('log'))).toEqual([
    '0 one ann bob env',
    '  out-0 it',
    '1 {"name":"two"} ann bob env',
    '  out-1 it',
    '2 3 ann bob env',
    '  out-2 it',
    'end completed',
  ]);
});

/** Marks every step's runs as `2.step`; step b of input 2 fails until a file is there. */
const grid = (w: ReturnType<typeof witness>, c = 'c') => `
plan: 1
name: grid
iterate: { over: [1, 2, 3] }
steps:
  - { id: a, run: "${w.mark('${{ item }}.a')}" }
  - { id: b, run: "${w.mark('${{ item }}.b')}; test \${{ item }} != 2 || test -f ${w.path('ok')}" }
  - { id: c, run: "${w.mark(`\${{ item }}.${c}`)}" }
`;
const counts = (w: ReturnType<typeof witness>, steps = ['a', 'b', 'c']) =>
  [1, 2, 3].map((item) => steps.map((step) => w.n(`${item}.${step}`)));

test('the first iteration that fails fails the plan; a next run goes on in it, at the step that failed', async () => {
  const w = witness();
  const id = await world.create(grid(w));
  const { error } = await world.reaches(id, 'failed');
  expect(error).toMatchObject({ task: 'iterate', message: 'input 2/3 (2) failed: b: exit code 1' });
  expect(counts(w)).toEqual([
    [1, 1, 1],
    [1, 1, 0],
    [0, 0, 0],
  ]);

  writeFileSync(w.path('ok'), '');
  await world.service.nextRun(caller, id, { mode: 'resume' });
  await world.reaches(id, 'completed');
  expect(counts(w)).toEqual([
    [1, 1, 1],
    [1, 2, 1],
    [1, 1, 1],
  ]);
});

test('inputs are the files that a pattern finds, in the order of their paths, or the lines that a command prints', async () => {
  const w = witness();
  const directory = tempDir('specs');
  mkdirSync(join(directory, 'specs/deep'), { recursive: true });
  for (const name of ['specs/b.md', 'specs/a b.md', 'specs/c.txt', 'specs/deep/d.md'])
    writeFileSync(join(directory, name), '');
  const over = async (over: string, max = '') => {
    const log = w.path(Buffer.from(over + max).toString('hex'));
    const id = await world.create(
      `plan: 1\nname: it\niterate: { over: ${over}${max} }\nsteps: [{ run: 'echo "\${{ item }}" >> ${log}' }]\n`,
      { place: { ...recordPlace(process.env), directory } },
    );
    await world.reaches(id, 'completed');
    return linesOf(log);
  };
  expect(await over("'specs/*.md'")).toEqual(['specs/a b.md', 'specs/b.md']);
  expect(await over("'specs/**/*.md'")).toEqual(['specs/a b.md', 'specs/b.md', 'specs/deep/d.md']);
  expect(await over("'specs/**/*.md'", ', max: 1')).toEqual(['specs/a b.md']);
  expect(await over('{ command: "ls -r specs; echo; echo" }')).toEqual(['deep', 'c.txt', 'b.md', 'a b.md']);
});

test.each([
  ["'specs/*.md'", 'no inputs found: no file matches specs/*.md'],
  ['{ command: "echo; true" }', 'no inputs found: the command prints nothing: echo; true'],
  ['"${{ inputs.none }}"', 'no inputs found: the list that ${{ inputs.none }} gives is empty'],
  ['"${{ plan.name }}"', '`over` gives "it", not a list; name a list, such as an input of type array'],
  [
    '{ command: "seq 100001" }',
    '`over` gives 100001 inputs, and more than 100000 cannot be worked; say `max`, or give fewer',
  ],
])('an iteration over %s fails: %s', async (over, message) => {
  const id = await world.create(
    `plan: 1\nname: it\ninputs: { none: { type: array, default: [] } }\niterate: { over: ${over} }\nsteps: [{ run: "true" }]\n`,
  );
  expect((await world.reaches(id, 'failed')).error).toMatchObject({ task: 'iterate', code: 'TASK_INVALID', message });
});

test('the story tells each input and each step as it begins, and views tell where the iteration is', async () => {
  const w = witness();
  const id = await world.create(`
plan: 1
name: it
iterate: { over: [{ name: one, more: 1 }, { path: two }] }
steps:
  - { id: a, run: "true" }
  - { id: b, run: "test \${{ index }} = 0 || until test -f ${w.path('ok')}; do sleep 0.05; done" }
  - { id: c, run: "true" }
`);
  const at = async () => (await world.task(id, 'iterate')).iteration;
  await until('step b of the second', async () => (await at())?.input === 2 && (await at())?.task === 'b');
  expect(await at()).toEqual({ input: 2, of: 2, name: 'two', step: 2, steps: 3, task: 'b' });
  expect((await world.task(id, 'iterate')).items).toEqual({ total: 2, succeeded: 1, failed: 0, skipped: 0 });
  writeFileSync(w.path('ok'), '');
  await world.reaches(id, 'completed');
  const events = await world.service.events(caller, id, 0);
  const told = events.filter(({ type, details }) => type === 'TaskStarted' && details !== undefined);
  const steps = (k: number) => ['a', 'b', 'c'].map((step, i) => [`iterate[${k}]/${step}`, { step: i + 1, steps: 3 }]);
  expect(told.map(({ task, details }) => [task, details])).toEqual([
    ['iterate[0]', { input: 1, of: 2, name: 'one' }],
    ...steps(0),
    ['iterate[1]', { input: 2, of: 2, name: 'two' }],
    ...steps(1),
  ]);
});

test('of one step too: which input is worked, which failed, and a next run goes on with it', async () => {
  const w = witness();
  const id = await world.create(`
plan: 1
name: it
inputs: { who: { default: ann } }
iterate: { over: [one, two, three], as: thing }
steps: [{ run: "echo \${{ thing }} \${{ index }} \${{ inputs.who }} >> ${w.path('log')}; test \${{ thing }} != two || until test -f ${w.path('end')}; do sleep 0.05; done; test \${{ thing }} != two || test -f ${w.path('ok')}" }]
`);
  await until('the second', async () => (await world.task(id, 'iterate')).iteration?.input === 2);
  const { iteration } = await world.task(id, 'iterate');
  expect(iteration).toEqual({ input: 2, of: 3, name: 'two', step: 1, steps: 1 });
  writeFileSync(w.path('end'), '');
  const { error } = await world.reaches(id, 'failed');
  expect(error?.message).toBe('input 2/3 (two) failed: exit code 1');
  writeFileSync(w.path('ok'), '');
  await world.service.nextRun(caller, id, { mode: 'resume' });
  await world.reaches(id, 'completed');
  expect(linesOf(w.path('log'))).toEqual(['one 0 ann', 'two 1 ann', 'two 1 ann', 'three 2 ann']);
});

test('maps and sub-plans in a step read its input: a map by itself, a sub-plan by what it is given', async () => {
  const w = witness();
  const id = await world.create(`
plan: 1
name: it
inputs: { who: { default: ann } }
iterate: { over: [x, y] }
tasks:
  each: { map: { in: [1, 2], as: n, max_parallel: 1, task: { run: "echo map \${{ item }}\${{ n }} \${{ inputs.who }} >> ${w.path('log')}" } } }
  inner: { needs: [each], plan: { inputs: { thing: "\${{ item }}-\${{ index }}" }, steps: [{ run: "echo plan \${{ inputs.thing }} >> ${w.path('log')}" }] } }
`);
  await world.reaches(id, 'completed');
  expect(linesOf(w.path('log'))).toEqual([
    'map x1 ann',
    'map x2 ann',
    'plan x-0',
    'map y1 ann',
    'map y2 ann',
    'plan y-1',
  ]);
});

test('large inputs go by reference and are read whole', async () => {
  const w = witness();
  const id = await world.create(
    `plan: 1\nname: it\ninputs: { all: { type: array } }\niterate: { over: "\${{ inputs.all }}" }\nsteps: [{ run: "echo \${{ item.id }} \${{ size(item.text) }} >> ${w.path('log')}" }]\n`,
    { inputs: { all: ['a', 'b'].map((id) => ({ id, text: 'x'.repeat(20_000) })) } },
  );
  await world.reaches(id, 'completed');
  expect(linesOf(w.path('log'))).toEqual(['a 20000', 'b 20000']);
  const events = await world.service.events(caller, id, 0);
  expect(events.flatMap(({ details }) => (details ? [details] : []))).toContainEqual({ input: 2, of: 2, name: 'b' });
});

test('edited steps are done anew for every input: finished iterations were those of the old ones', async () => {
  const w = witness();
  const id = await world.create(grid(w));
  await world.reaches(id, 'failed');
  writeFileSync(w.path('ok'), '');
  await world.service.nextRun(caller, id, { mode: 'resume', plan: grid(w, 'other') });
  await world.reaches(id, 'completed');
  expect(counts(w, ['a', 'b', 'c', 'other'])).toEqual([
    [2, 2, 1, 1],
    [2, 2, 0, 1],
    [1, 1, 0, 1],
  ]);
});
