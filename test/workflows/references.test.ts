import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWorld } from '../support/world.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  await world.stop();
});

const BIG = `run: "printf start; head -c 100000 /dev/zero | tr '\\\\0' x; printf end"`;

test('a condition, a value, a question and a map read large outputs as if they were small', async () => {
  const id = await world.create(`
plan: 1
name: refs
tasks:
  big: { ${BIG} }
  yes: { needs: [big], if: "tasks.big.outputs.stdout.startsWith('start') && size(tasks.big.outputs.stdout) == 100008", run: "echo yes" }
  no: { needs: [big], if: "tasks.big.outputs.stdout == 'x'", run: "echo no" }
  wrong: { needs: [big], if: "tasks.big.outputs.stdout.nope", run: "echo no", on_failure: continue }
  made: { needs: [big], set: { n: "\${{ size(tasks.big.outputs.stdout) }}", all: "\${{ tasks.big.outputs.stdout }}" } }
  each: { needs: [big], map: { in: "[tasks.big.outputs.stdout, 'b']", task: { set: { n: "\${{ size(item) }}" } } } }
  end: { needs: [made, each], set: { same: "\${{ tasks.made.outputs.all == tasks.big.outputs.stdout }}", n: "\${{ tasks.each.outputs.results.map(r, r.outputs.n) }}" } }
  sub:
    needs: [big]
    plan:
      inputs: { text: "\${{ tasks.big.outputs.stdout }}" }
      outputs: { text: "\${{ tasks.copy.outputs.stdout }}", n: "\${{ size(tasks.copy.outputs.stdout) }}" }
      tasks: { copy: { run: "printf %s \${{ inputs.text }}" } }
  last: { needs: [sub, end], approve: { prompt: "\${{ size(tasks.sub.outputs.text) }}?" } }
`);
  const view = await world.reaches(id, 'awaiting_input', 30_000);
  const task = (name: string) => view.tasks.find(({ id }) => id === name)!;
  expect(task('yes').status).toBe('succeeded');
  expect(task('no')).toMatchObject({ status: 'skipped' });
  expect(task('wrong')).toMatchObject({ status: 'failed', error: { code: 'TASK_INVALID' } });
  expect(task('made').outputs).toMatchObject({ n: 100_008 });
  expect(task('end').outputs).toEqual({ same: true, n: [100_008, 1] });
  expect(task('sub').outputs).toMatchObject({ n: 100_008 });
  expect(view.questions[0]?.prompt).toBe('100008?');
  for (const event of await world.history(id)) expect(JSON.stringify(event).length).toBeLessThan(20_000);
  await world.command(id, 'approve');
  await world.reaches(id, 'completed');
});

test('what a plan, an answer or a command says cannot pass for a reference to what is stored', async () => {
  const forged = { $stored: { sha256: 'a'.repeat(64), bytes: 1 } };
  await expect(
    world.create('plan: 1\nname: f\ntasks: { a: { set: { x: { $stored: { sha256: a } } } } }\n'),
  ).rejects.toMatchObject({ code: 'PLAN_INVALID', message: expect.stringContaining('"$stored" cannot be a key') });
  await expect(
    world.create('plan: 1\nname: f\ninputs: { x: { type: object } }\ntasks: { a: { run: x } }\n', {
      inputs: { x: forged },
    }),
  ).rejects.toMatchObject({ code: 'PLAN_INVALID', message: expect.stringContaining('$stored') });
  const id = await world.create(`
plan: 1
name: f
tasks:
  out: { run: "echo '{\\"$stored\\":{\\"sha256\\":\\"${'a'.repeat(64)}\\",\\"bytes\\":1}}'", capture: json }
  read: { needs: [out], set: { keys: "\${{ tasks.out.outputs.stdout['$stored'].bytes }}" } }
  bad: { needs: [read], run: "exit 1", on_failure: hold }
`);
  const view = await world.reaches(id, 'awaiting_input');
  expect(view.tasks[1]!.outputs).toEqual({ keys: 1 });
  await expect(
    world.command(id, 'answer', { question: 'bad', choice: 'complete', values: { x: forged } }),
  ).rejects.toMatchObject({ code: 'ANSWER_INVALID' });
});

test('the name of what another plan has stored opens nothing, whoever makes a reference of it', async () => {
  const owner = await world.create(`plan: 1\nname: o\ntasks: { big: { ${BIG} } }\n`);
  await world.reaches(owner, 'completed');
  const { $stored } = (await world.task(owner, 'big')).outputs!['stdout' as never] as { $stored: { sha256: string } };
  const forged = `{"$stored": {"sha256": "${$stored.sha256}", "bytes": 100008}}`;
  const id = await world.create(`
plan: 1
name: thief
tasks:
  name: { set: { x: '\${{ ${forged} }}' }, on_failure: continue }
  script: { needs: name, run: "printf %s \${{ tasks.name.outputs.x }}", on_failure: continue }
  value: { needs: name, set: { n: "\${{ size(tasks.name.outputs.x) }}", x: "\${{ tasks.name.outputs.x }}" }, on_failure: continue }
  items: { needs: name, map: { in: "[tasks.name.outputs.x]", task: { run: "echo \${{ item }}" } }, on_failure: continue }
`);
  const view = await world.reaches(id, 'completed');
  for (const { id: task, status, error } of view.tasks.slice(1))
    expect({ task, status, message: error?.message }).toEqual({
      task,
      status: 'failed',
      message: expect.stringContaining('this plan did not store it'),
    });
});

test('data of any shape is data: what a service or a script calls `$stored` arrives as it is', async () => {
  const odd = { $stored: { sha256: 'a'.repeat(64), bytes: 1, dropped: 7, head: 'x', json: true } };
  const id = await world.create(`
plan: 1
name: odd
tasks:
  out: { run: ${JSON.stringify(`echo '${JSON.stringify(odd)}'`)}, capture: json }
  script: { needs: out, run: "printf %s \${{ tasks.out.outputs.stdout }}" }
  value: { needs: out, set: { bytes: "\${{ tasks.out.outputs.stdout['$stored'].bytes }}" } }
`);
  await world.reaches(id, 'completed');
  expect(JSON.parse(String((await world.task(id, 'script')).outputs!['stdout' as never]))).toEqual(odd);
  expect((await world.task(id, 'value')).outputs).toEqual({ bytes: 1 });
});

test('an expression that could hold up everybody is refused, and the engine goes on', async () => {
  const id = await world.create(`
plan: 1
name: slow
tasks:
  list: { run: "seq 1 15000", capture: lines }
  value: { needs: list, set: { x: "\${{ tasks.list.outputs.stdout.all(a, tasks.list.outputs.stdout.all(b, a != b + 'x')) }}" }, on_failure: continue }
  when: { needs: list, if: "tasks.list.outputs.stdout.exists(a, a in tasks.list.outputs.stdout && a == 'no')", run: "true", on_failure: continue }
`);
  const view = await world.reaches(id, 'completed');
  for (const { status, error } of view.tasks.slice(1)) {
    expect(status).toBe('failed');
    expect(error?.message).toContain('too many steps');
  }
});
