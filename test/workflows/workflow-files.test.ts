import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/plan/json.ts';
import { recordPlace } from '../../src/service/place.ts';
import { caller, startWorld, tempDir, until } from '../support/world.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  await world.stop();
});

/** A directory in which a workflow file runs. */
function folder(files: Record<string, string> = {}) {
  const path = tempDir('workflow');
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(path, name, '..'), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  return {
    path,
    start: (plan: string, inputs: JsonObject = {}) =>
      world.create(plan, { inputs, place: recordPlace(process.env, path) }),
    read: (name: string) => readFileSync(join(path, name), 'utf8'),
    has: (name: string) => existsSync(join(path, name)),
    touch: (name: string) => writeFileSync(join(path, name), ''),
    calls: (): { argv: string[]; resumed?: string; lost?: string; session_id?: string; pid?: number }[] =>
      existsSync(join(path, 'agent-calls'))
        ? readFileSync(join(path, 'agent-calls'), 'utf8')
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line))
        : [],
  };
}
const log = (id: string, name: string) => readFileSync(join(world.home, 'runs', id, 'logs', name), 'utf8');
const outputs = async (id: string, task: string) => (await world.task(id, task)).outputs as JsonObject | undefined;

describe('steps', () => {
  test('run one after another; what one captures the others read', async () => {
    const f = folder();
    const id = await f.start(`
- shell: |
    false
    echo "two words"
  capture: said
- shell: echo "$ARG[\${said}] \${shell.output}" \${said}
  id: second
- shell: printf '%s|' \${said} "\${said}" '\${said}' \${second.output} \${nobody:-none} "\${HOME}"
`);
    await world.reaches(id, 'completed');
    expect(await outputs(id, 'second')).toMatchObject({ output: '[two words] two words two words', exit_code: 0 });
    expect((await outputs(id, 'step-3'))!.output).toBe(
      `two|words|two words|two words|[two|words]|two|words|two|words|none|${process.env.HOME}|`,
    );
  });

  test('a value is never read as part of the script', async () => {
    const bad = `"; touch broken; echo ' $(touch broken) \`touch broken\` | touch broken; x[$(touch broken)]`;
    const f = folder({ value: bad });
    const id = await f.start(`
- shell: cat value
  capture: v
- shell: |
    printf '%s\\n' "\${v}" '\${v}' "$(echo "\${v}")"
    echo \${v} # \${v}
    cat <<'END'
    \${v}
    END
    cat <<END
    \${v}
    END
`);
    await world.reaches(id, 'completed');
    expect((await outputs(id, 'step-2'))!.output).toBe(
      [bad, bad, bad, bad, `\${v}`, bad].join('\n').replace(`\${v}`, bad),
    );
    expect(f.has('broken')).toBe(false);
  });

  test('in shell arithmetic only whole numbers may stand', async () => {
    const id = await folder().start(`
- shell: echo 4
  capture: four
- shell: echo $(( \${four} + 1 ))
- shell: echo 'x[$(touch broken)]'
  capture: bad
- shell: echo $(( \${bad} + 1 ))
`);
    const { error } = await world.reaches(id, 'failed');
    expect((await outputs(id, 'step-2'))!.output).toBe('5');
    expect(error!.message).toContain('${bad} stands in shell arithmetic');
  });

  test('captures have formats, and streams; conditions ask them, and what is not there is false', async () => {
    const id = await folder().start(`
steps:
  - shell: 'echo "{\\"n\\": 7, \\"list\\": [\\"a\\", \\"b\\"]}"'
    capture: data
    capture_format: json
  - { shell: "echo 12", capture: count, capture_format: number }
  - { shell: "echo yes", capture: sure, capture_format: boolean }
  - { shell: "printf 'x\\ny\\n'", capture: both, capture_format: lines }
  - { shell: "echo out; echo err >&2; exit 3", capture: bad, allow_failure: true, capture_streams: { stderr: true } }
  - shell: echo \${data.n} \${data.list[1]} \${count} \${sure} '\${both}' \${bad.exit_code} \${bad.success} \${bad.stderr} \${last.exit_code}
    id: all
  - { shell: "echo no", when: "\${missing} == 'x'", id: unknown }
  - { shell: "echo yes", when: "\${data.n} > 6 && !\${bad.success} && (\${count} == 12 || false)", id: known }
  - { shell: "echo \${unknown.output:-nothing} \${known.output}", id: last_one }
`);
    const view = await world.reaches(id, 'completed');
    expect((await outputs(id, 'all'))!.output).toBe(`7 b 12 true ["x","y"] 3 false err 3`);
    expect(await world.task(id, 'unknown')).toMatchObject({
      status: 'skipped',
      reason: "its condition is false: ${missing} == 'x'",
    });
    expect((await outputs(id, 'last_one'))!.output).toBe('nothing yes');
    expect(view.tasks.map(({ status }) => status)).toEqual([
      ...Array(6).fill('succeeded'),
      'skipped',
      ...Array(2).fill('succeeded'),
    ]);
  });

  test('what is captured may be large', async () => {
    const id = await folder().start(`
- { shell: "head -c 100000 /dev/zero | tr '\\\\0' x", capture: much }
- shell: printf %s "\${much}" | wc -c
`);
    await world.reaches(id, 'completed');
    expect((await outputs(id, 'step-2'))!.output).toBe('100000');
  });

  test('environment: files, the file, the step; directory and time of a step', async () => {
    const f = folder({ '.env': 'A=file\nB=file\n', 'sub/x': '' });
    const id = await f.start(`
env: { B: own, C: "$ARG\${ARG}own" }
env_files: [.env]
commands:
  - { shell: "echo $A $B $C $D \${env.B}; ls", env: { D: "\${last.output:-step}" }, working_dir: sub }
  - { shell: "sleep 60", timeout: 0.2 }
`);
    const { error } = await world.reaches(id, 'failed');
    expect((await outputs(id, 'step-1'))!.output).toBe('file own own step own\nx');
    expect(error).toMatchObject({ code: 'TASK_TIMED_OUT' });
  });

  test('a commit is required', async () => {
    const f = folder();
    const git = (...args: string[]) => execFileSync('git', ['-C', f.path, ...args]);
    git('init', '-q');
    git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'first');
    const id = await f.start(`
- shell: git -c user.name=a -c user.email=a@b commit -q --allow-empty -m second
  commit_required: true
- shell: echo nothing
  commit_required: true
`);
    const { error } = await world.reaches(id, 'failed');
    expect((await world.task(id, 'step-1')).status).toBe('succeeded');
    expect(error!.message).toContain('it made no commit');
  });

  test('a secret is a variable, and is hidden in what is written', async () => {
    process.env.HOLDPOINT_SECRET_API_KEY = 'sesame-open-1';
    const text = readFileSync(join(import.meta.dirname, '../fixtures/workflow-files/masking.yml'), 'utf8');
    const id = await folder().start(text);
    await world.reaches(id, 'completed');
    expect((await outputs(id, 'step-1'))!.output).toBe('key is ***');
    delete process.env.HOLDPOINT_SECRET_API_KEY;
  });

  test('retry tries a step again', async () => {
    const id = await folder().start(`
- shell: echo x >> tries; test $(wc -l < tries) = 3
  retry: { attempts: 3, initial_delay: 10ms, backoff: fixed }
`);
    await world.reaches(id, 'completed');
    expect((await world.task(id, 'step-1')).attempt).toBe(3);
  });
});

describe('on_failure', () => {
  test('without it a step that fails fails the file; the next run goes on there', async () => {
    const f = folder();
    const id = await f.start(`
- shell: echo x >> first
- shell: test -f ok
- shell: echo end
`);
    expect((await world.reaches(id, 'failed')).error!.message).toContain('exit code 1');
    f.touch('ok');
    await world.service.nextRun(caller, id, { mode: 'resume' });
    await world.reaches(id, 'completed');
    expect(f.read('first')).toBe('x\n');
  });

  test('mends, and the step is tried again; what was said on both streams is known to it', async () => {
    const f = folder();
    const id = await f.start(`
- shell: echo out; echo err >&2; test -f fixed
  id: check
  on_failure:
    shell: 'echo "\${shell.output}|\${check.output}|\${last.exit_code}" >> said; test -f half && touch fixed; touch half'
    max_attempts: 3
- shell: echo "\${check.success} \${check.output}"
`);
    await world.reaches(id, 'completed');
    expect(f.read('said')).toBe('out\nerr|out\nerr|1\n'.repeat(2));
    expect((await outputs(id, 'step-2'))!.output).toBe('true out');
  });

  test.each([
    ['true', 'on_failure: true', 'completed'],
    ['a command as text', 'on_failure: touch handled', 'completed'],
    ['a list', 'on_failure: [{ shell: "touch one" }, "test -f one && touch handled"]', 'completed'],
    [
      'commands, and then it fails',
      'on_failure: { commands: [{ shell: touch handled }], fail_workflow: true }',
      'failed',
    ],
    ['a handler that fails', 'on_failure: { shell: "touch handled; false" }', 'failed'],
    ['attempts that all fail, allowed', 'on_failure: { shell: touch handled, max_attempts: 2 }', 'completed'],
    ['attempts that all fail', 'on_failure: { shell: touch handled, max_attempts: 2, fail_workflow: true }', 'failed'],
    ['its own on_failure', 'on_failure: { shell: "false", on_failure: { shell: touch handled } }', 'completed'],
  ] as const)('%s', async (_, words, status) => {
    const f = folder();
    const id = await f.start(`
- shell: echo x >> tries; exit 4
  id: a
  ${words}
- shell: echo \${a.success} \${a.exit_code}
`);
    await world.reaches(id, status);
    expect(f.has('handled')).toBe(words !== 'on_failure: true');
    expect(f.read('tries')).toBe(words.includes('max_attempts') ? 'x\nx\n' : 'x\n');
    if (status === 'completed') expect((await outputs(id, 'step-2'))!.output).toBe('false 4');
  });

  test('the time of a step that has a handler is its own command, not the handler', async () => {
    const f = folder();
    const id = await f.start(`
- shell: sleep 60
  timeout: 0.2
  on_failure: { shell: "sleep 0.5; touch handled" }
`);
    await world.reaches(id, 'completed');
    expect(f.has('handled')).toBe(true);
    expect(log(id, 'run-1/step-1#1.1.log')).toContain('main failed: it did not end within 200ms');
  });

  test('on_success follows, and what it captures is known later', async () => {
    const id = await folder().start(`
- shell: echo built
  on_success:
    - { shell: "echo \${shell.output}-1", capture: version }
    - { shell: "exit 5", on_failure: true }
- shell: echo \${version}
`);
    await world.reaches(id, 'completed');
    expect((await outputs(id, 'step-2'))!.output).toBe('built-1');
  });
});

describe('claude', () => {
  const agent = (path: string) => `env: { AGENT_HOME: "${path}", TOPIC: whales }\ncommands:`;

  test('the text is its last argument, and what it answers can be read', async () => {
    const f = folder();
    const id = await f.start(
      `${agent(f.path)}
  - claude: "/write $ARG about \${TOPIC} 'in' \\"two\\" words"
    id: essay
  - shell: printf '%s' "\${claude.output}"
`,
      { args: 'text' },
    );
    await world.reaches(id, 'completed');
    const text = `/write text about whales 'in' "two" words`;
    expect(f.calls()[0]!.argv).toEqual(['-p', '--output-format', 'stream-json', '--verbose', text]);
    const view = await world.read(id);
    expect(view.tasks.map(({ id }) => id)).toContain('iterate');
  });

  test('a failed attempt, and the next run, go on in the session that the own agent reported last', async () => {
    const f = folder();
    const id = await f.start(`${agent(f.path)}
  - claude: "one: fail until one"
    retry: { attempts: 2, initial_delay: 1ms }
  - claude: "two: fail until two"
`);
    await world.reaches(id, 'failed');
    f.touch('one');
    await world.service.nextRun(caller, id, { mode: 'resume' });
    await world.reaches(id, 'failed');
    f.touch('two');
    await world.service.nextRun(caller, id, { mode: 'resume' });
    await world.reaches(id, 'completed');
    const calls = f.calls();
    expect(calls.map(({ argv }) => argv.at(-1)!.slice(0, 3))).toEqual(['one', 'one', 'one', 'two', 'two']);
    const sessions = calls.map(({ session_id }) => session_id);
    expect(calls.map(({ resumed }) => resumed)).toEqual([undefined, sessions[0], sessions[1], undefined, sessions[3]]);
    expect(calls.flatMap(({ argv }) => argv)).not.toContain('--continue');
    expect(log(id, 'run-2/step-1#1.1.log')).toContain(`resuming the agent's session ${sessions[1]}`);
  });

  test('after an interruption it resumes, though the agent gave no result', async () => {
    const f = folder();
    const id = await f.start(`${agent(f.path)}
  - claude: "wait for go"
`);
    await until('the agent works', () => f.calls().length === 1);
    await until('its session is known', () => existsSync(join(world.home, 'runs', id, 'sessions')));
    await world.stopWorker();
    await world.startWorker();
    await until('it works again', () => f.calls().length === 2);
    f.touch('go');
    await world.reaches(id, 'completed');
    const [first, second] = f.calls();
    expect(second!.resumed).toBe(first!.session_id);
    expect((await outputs(id, 'step-1'))!.output).toBe('did: wait for go');
  });

  test('two in one directory, interrupted and resumed at once, never take the session of each other', async () => {
    const f = folder();
    const ids = await Promise.all(
      ['one', 'two'].map((name) =>
        f.start(`${agent(f.path)}
  - claude: "${name}: wait for go"
`),
      ),
    );
    await until('both work', () => f.calls().length === 2);
    await until('both sessions are known', () =>
      ids.every((id) => existsSync(join(world.home, 'runs', id, 'sessions'))),
    );
    await world.stopWorker();
    await world.startWorker();
    await until('both work again', () => f.calls().length === 4);
    f.touch('go');
    for (const id of ids) await world.reaches(id, 'completed');
    const calls = f.calls();
    for (const text of ['one: wait for go', 'two: wait for go']) {
      const [first, second] = calls.filter(({ argv }) => argv.at(-1) === text);
      expect(second!.resumed).toBe(first!.session_id);
    }
  });

  test('a failure that only speaks of sessions is no lost session', async () => {
    const f = folder();
    const id = await f.start(`${agent(f.path)}
  - claude: "session not found: fail until ok"
`);
    await world.reaches(id, 'failed');
    await world.service.nextRun(caller, id, { mode: 'resume' });
    await world.reaches(id, 'failed');
    expect(f.calls()).toHaveLength(2);
  });

  test('a session that is lost is told of, and a new one begins', async () => {
    const f = folder();
    const id = await f.start(`${agent(f.path)}
  - claude: "fail until ok"
`);
    await world.reaches(id, 'failed');
    rmSync(join(f.path, 'agent-sessions'), { recursive: true });
    f.touch('ok');
    await world.service.nextRun(caller, id, { mode: 'resume' });
    await world.reaches(id, 'completed');
    const [first, second, third] = f.calls();
    expect(second!.lost).toBe(first!.session_id);
    expect(third!.resumed).toBe(undefined);
    expect(readdirSync(join(world.home, 'runs', id, 'logs', 'run-2'))).toHaveLength(1);
    expect(log(id, 'run-2/step-1#1.1.log')).toContain(
      `the agent does not know the session ${first!.session_id} any more; it begins a new one`,
    );
  });

  test('mends what a step found, three times unless said otherwise', async () => {
    const f = folder();
    const id = await f.start(`${agent(f.path)}
  - shell: echo broken; test -f fixed
    on_failure: { claude: "make half of \${shell.output}" }
  - shell: test -f half && touch fixed
  - shell: test -f fixed
    on_failure: { claude: "never", fail_workflow: true }
`);
    await world.reaches(id, 'completed');
    expect(f.calls().map(({ argv, resumed }) => [argv.at(-1), resumed])).toEqual(
      Array(2).fill(['make half of broken', undefined]),
    );
  });
});

describe('inputs', () => {
  test('once for every match, then for every value, one after another; a next run goes on in the one that failed', async () => {
    const f = folder({ 'docs/b.md': '', 'docs/a.md': '', 'docs/c.txt': '' });
    const id = await f.start(
      `
- shell: echo "$INDEX/$TOTAL $ARG [$FILE]" >> seen
  id: see
- shell: test "$ARG" != docs/b.md || test -f ok
- shell: echo "\${see.exit_code} $ARG" >> seen
  when: "$INDEX != 4"
`,
      { map: ['docs/*.md'], args: ['x; touch broken', '${{ 1 + 1 }}'] },
    );
    await world.reaches(id, 'failed');
    f.touch('ok');
    await world.service.nextRun(caller, id, { mode: 'resume' });
    await world.reaches(id, 'completed');
    expect(f.read('seen').trim().split('\n')).toEqual([
      '1/4 docs/a.md [docs/a.md]',
      '0 docs/a.md',
      '2/4 docs/b.md [docs/b.md]',
      '0 docs/b.md',
      '3/4 x; touch broken []',
      '0 x; touch broken',
      '4/4 ${{ 1 + 1 }} []',
    ]);
    expect(f.has('broken')).toBe(false);
  });

  test('no match at all is a failure', async () => {
    const id = await folder().start('- shell: echo $ARG\n', { map: ['docs/*.md'] });
    expect((await world.reaches(id, 'failed')).error!.message).toContain('no inputs found: no file matches docs/*.md');
  });
});
