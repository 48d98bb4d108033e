import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { TaskFailure } from '../../../src/activities/kind.ts';
import { secretSource, secretsOf } from '../../../src/activities/secrets.ts';
import { place } from '../attempts.ts';

const VALUE = 'hunter2-correct-horse';
const sourceOf = (values: Record<string, string>) => secretSource(Object.keys(values), (name) => values[name]);
const withSecrets = (values: Record<string, string> = { TOKEN: VALUE }) => {
  const at = place();
  at.context.secrets = secretsOf({ secrets: Object.keys(values) }, sourceOf(values));
  return at;
};

test('a script has its secrets as variables; what it writes of them is masked in log and outputs', async () => {
  const { run, log } = withSecrets();
  const outputs = await run(
    `test "$TOKEN" = ${VALUE}; echo "out $TOKEN"; echo "err $TOKEN" >&2; printf '%s' "\${TOKEN:0:5}"; sleep 0.2; echo "\${TOKEN:5}"; echo -n "$TOKEN" | base64
     echo "own=a$TOKEN" >> "$HOLDPOINT_OUTPUT"`,
  );
  expect(outputs).toEqual({ stdout: 'out ***\n***\n***', exit_code: 0, own: 'a***' });
  const logged = readFileSync(log, 'utf8');
  expect(logged).toContain('err ***');
  expect(logged).not.toContain(VALUE);
});

test('what a JSON output holds of them is masked, and it is still JSON', async () => {
  const { run } = withSecrets({ TOKEN: 'a"b\\c-and more' });
  const json = "node -e 'console.log(JSON.stringify({ t: process.env.TOKEN, n: 1 }))'";
  expect(await run(json, { capture: 'json' })).toEqual({ stdout: { t: '***', n: 1 }, exit_code: 0 });
});

test('a large output that is stored is masked, too', async () => {
  const { run, store } = withSecrets();
  const { stdout } = (await run('for i in $(seq 3000); do echo "$TOKEN $i"; done')) as { stdout: never };
  const text = await store.text(stdout);
  expect(text).not.toContain('hunter2');
  expect(text.split('\n').at(-1)).toBe('*** 3000');
  expect(JSON.stringify(stdout)).not.toContain('hunter2');
});

test('a secret of a name wins over `env`, and takes nothing else of the engine with it', async () => {
  const { run } = withSecrets({ TOKEN: 'abc' });
  expect(await run('echo "$TOKEN ${HOLDPOINT_SECRET_TOKEN:-none}"', {}, { env: { TOKEN: 'plain' } })).toMatchObject({
    stdout: 'abc none',
  });
});

test('a secret that a task does not name is masked too, where its script finds it all the same', async () => {
  const at = place();
  at.context.secrets = secretsOf({}, sourceOf({ OTHER: 'of-another-plan' }));
  expect(at.context.secrets.values).toEqual({});
  expect(await at.run('echo "found: of-another-plan"')).toMatchObject({ stdout: 'found: ***' });
});

test('what the engine has not fails the task for good, and says what to set', () => {
  const look = () => secretsOf({ secrets: ['A', 'B', 'C'] }, sourceOf({ B: 'x', C: '' }));
  expect(look).toThrow(
    'the engine has no secret A, C: start it with HOLDPOINT_SECRET_A, HOLDPOINT_SECRET_C in its environment',
  );
  expect(look).toThrow(TaskFailure);
  try {
    look();
  } catch (error) {
    expect((error as TaskFailure).why).toBe('invalid');
  }
});
