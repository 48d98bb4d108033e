import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { claude } from '../../src/activities/claude.ts';
import { loadConfig } from '../../src/config.ts';
import type { AttemptInput } from '../../src/contract/payloads.ts';
import type { Json, JsonObject } from '../../src/plan/json.ts';
import { AGENT } from '../support/world.ts';
import { place } from './attempts.ts';

/** One attempt of a step that gives this text to an agent. */
async function attempt(text: string, agentCommand: string[], at = place()) {
  const input: AttemptInput = {
    schema_version: 1,
    principal: { id: 'u', name: 'u', org_id: 'local' },
    plan_id: 'p',
    run: 1,
    task: 'a',
    kind: 'claude',
    attempt: 1,
    dispatch: 1,
    with: { command: { does: 'claude', text }, step: { index: 1, name: 'a' }, before: [] } as unknown as Json,
    scope: { inputs: {}, tasks: {}, plan: { id: 'p', name: 'n', run: 1 } },
    env: {},
    place: { env: { PATH: process.env.PATH!, AGENT_HOME: at.planFolder } },
    idempotency_key: 'p/0/a',
    inline_limit: 4_096,
  };
  return (await claude.execute(input, { ...at.context, agentCommand })).outputs as JsonObject;
}

describe('agents that are not asked for JSON', () => {
  test('what they print is the output, and they are not resumed', async () => {
    const at = place();
    expect(await attempt('go', [AGENT], at)).toMatchObject({ output: 'did: go', success: true });
    await attempt('go', [AGENT], at);
    expect(readFileSync(join(at.planFolder, 'agent-calls'), 'utf8')).not.toContain('--resume');
    expect(existsSync(join(at.planFolder, 'sessions'))).toBe(false);
  });

  test('a text is one word for them, whatever is in it', async () => {
    expect((await attempt(`$(touch x) 'a' "b" \\ \n;`, ['printf', '<%s>'])).output).toBe(`<$(touch x) 'a' "b" \\ \n;>`);
  });
});

describe('agents that tell JSON', () => {
  const told = (lines: string): string[] => ['bash', '-c', `${lines}\n:`, '--output-format', 'json'];

  test('one object in all', async () => {
    const outputs = await attempt('x', told(`echo '{"type":"result","result":"done","session_id":"s1"}'`));
    expect(outputs).toMatchObject({ output: 'done', exit_code: 0 });
  });

  test('a failure that its exit code does not tell', async () => {
    const failing = told(`echo '{"type":"result","is_error":true,"result":"too hard","session_id":"s1"}'`);
    await expect(attempt('x', failing)).rejects.toThrow('too hard');
  });

  test('no result is a failure', async () => {
    await expect(attempt('x', told('echo hello'))).rejects.toThrow('ended without a result');
  });

  test('the log shows what they say, and not the JSON', async () => {
    const at = place();
    await attempt('go', [AGENT, '-p'], at);
    expect(readFileSync(at.log, 'utf8')).toMatch(/^session [0-9a-f-]{36}\nworking on go\n\[Bash\]\n$/);
  });
});

test('a text that is too long for an argument is refused', async () => {
  await expect(attempt('x'.repeat(200_000), [AGENT])).rejects.toThrow("a command's argument has at most 131071");
});

test('an agent that is not there is told by its name', async () => {
  await expect(attempt('x', ['no-such-agent', '-p'])).rejects.toThrow('no-such-agent');
});

describe('HOLDPOINT_AGENT_COMMAND', () => {
  const words = (HOLDPOINT_AGENT_COMMAND: string) => loadConfig({ HOLDPOINT_AGENT_COMMAND }).agentCommand;

  test.each([
    ['', ['claude', '-p']],
    ['  my-agent  --fast ', ['my-agent', '--fast']],
    [
      `claude -p --append-system-prompt 'be "brief"' "a \\"b\\" $c" d\\ e`,
      ['claude', '-p', '--append-system-prompt', 'be "brief"', 'a "b" $c', 'd e'],
    ],
    [`a''b ""`, ['ab', '']],
  ])('%s', (text, expected) => expect(words(text)).toEqual(expected));

  test.each([[`claude 'x`], [`claude "x`]])('%s is refused', (text) => {
    expect(() => words(text)).toThrow('a quote in it is not closed');
  });

  test('blanks name no command', () => expect(() => words('  ')).toThrow('names no command'));
});
