import { describe, expect, test } from 'vitest';
import { SCRIPTS } from '../../src/cli/completion/scripts.ts';
import { tempDir } from '../support/world.ts';
import { fakeCli, ID, summary, view } from './fake-cli.ts';

const OTHER = '77777777-0000-4000-8000-000000000002';
const session = (session_id: string, state: 'failed' | 'completed' | 'stopped', directory = '/other') => ({
  session_id,
  plan_id: OTHER,
  name: 'x',
  state,
  open: false,
  file: '/x.yaml',
  directory,
  file_hash: '',
  format: 1,
  created_at: new Date(0),
  updated_at: new Date(0),
});
const HASH = '20418c9b7cdcfeb15aa9f09e875deec9';
const service = {
  list: async () => ({
    plans: [summary(ID), summary(OTHER, { state: { status: 'paused' as const } })],
    next_cursor: null,
  }),
  execute: { catalogs: async () => [{ prompt_hash: HASH, name: 'pokedex', entities: [], created_at: '' }] } as never,
  sessions: async () => [session('a', 'failed'), session('b', 'completed'), session('c', 'stopped', '/nowhere')],
  read: async () =>
    view({
      tasks: [{ id: 'build', kind: 'run', status: 'pending', attempt: 0, max_attempts: 1, needs: [] }],
      questions: [
        {
          id: 'ship.1',
          task: 'ship',
          kind: 'approve',
          prompt: 'Ship?',
          options: ['yes', 'no'],
          opened_at: '',
          expires_at: null,
        },
      ],
    }),
};
const RUNNING = { running: true, ready: true };

describe('what may follow', () => {
  test.each<[string[], string[]]>([
    [['r'], ['run', 'resume', 'retry', 'release']],
    [
      ['server', ''],
      ['status', 'stop'],
    ],
    [
      ['server', 'status', '--'],
      ['--json', '--help'],
    ],
    [['help', 'val'], ['validate']],
    [['co'], ['cook', 'completion']],
    [
      ['cook', '--re'],
      ['--resume', '--resume-last', '--review'],
    ],
    // Those of this directory first.
    [
      ['run', '--resume', ''],
      ['c', 'a'],
    ],
    [['cook', 'x.yaml', '--resume=a'], ['a']],
    [
      ['sessions', ''],
      ['ls', 'list', 'show', 'clean'],
    ],
    [
      ['sessions', 'show', ''],
      ['c', 'a', 'b'],
    ],
    [
      ['sessions', 'clean', '--'],
      ['--all', '--older-than', '--yes', '--json', '--help'],
    ],
    [
      ['plasm', ''],
      ['run', 'catalog'],
    ],
    [
      ['plasm', 'run', '--mode', ''],
      ['plan', 'run'],
    ],
    [
      ['plasm', 'run', '--catalog', '20'],
      [':files', HASH],
    ],
    [
      ['plasm', 'catalog', ''],
      ['ls', 'add', 'show'],
    ],
    [
      ['plasm', 'catalog', 'show', ''],
      [':files', HASH],
    ],
    [['pause', '--st'], ['--strict']],
    [
      ['graph', '--format', ''],
      ['text', 'mermaid', 'svg', 'json'],
    ],
    [['graph', '--format', '=', 's'], ['svg']],
    [['graph', '--format=m'], ['mermaid']],
    [
      ['ls', '--state', 'p'],
      ['pending_review', 'paused'],
    ],
    [['ls', '--name', ''], []],
    [['run', ''], [':files']],
    [['run', '--input', ''], []],
    [
      ['graph', ''],
      [':files', ID, OTHER],
    ],
    [['graph', 'x', '--output', ''], [':files']],
    [
      ['pause', ''],
      [ID, OTHER],
    ],
    [['pause', '--strict', '3f'], [ID]],
    [['pause', ID, ''], []],
    [['hold', ID, ''], ['build']],
    [['answer', ID, ''], ['ship.1']],
    [['answer', ID, 'ship', 'y'], ['yes']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['nonsense', 'a', ''], []],
  ])('%j: %j', async (words, expected) => {
    const { run, out, err } = fakeCli({ service, status: RUNNING, env: { HOLDPOINT_HOME: tempDir('home') } });
    expect(await run('completion', 'bash', '--words', '--', ...words)).toBe(0);
    expect({ out, err }).toEqual({ out: expected, err: [] });
  });

  test('zsh and fish are told with it what each is', async () => {
    const { run, out } = fakeCli({ service, status: RUNNING });
    await run('completion', 'zsh', '--words', '--', 'pause', '3');
    await run('completion', 'fish', '--words', '--', 'pause', '3');
    expect(out).toEqual([`${ID}:release, executing`, `${ID}\trelease, executing`]);
  });
});

describe('an engine is never started for it, and what goes wrong is not told', () => {
  test.each([
    ['none runs', { running: false, ready: false }],
    ['one is still starting', { running: true, ready: false }],
  ])('%s', async (_, status) => {
    const { run, out, err, connects } = fakeCli({ service, status });
    expect(await run('completion', 'bash', '--words', '--', 'pause', '')).toBe(0);
    expect({ out, err, connects }).toEqual({ out: [], err: [], connects: [] });
  });

  test('one does not answer', async () => {
    const list = async () => {
      throw new Error('gone');
    };
    const { run, out, err, connects } = fakeCli({ service: { list }, status: RUNNING });
    expect(await run('completion', 'bash', '--words', '--', 'pause', '')).toBe(0);
    expect({ out, err, connects }).toEqual({ out: [], err: [], connects: [{ start: false }] });
  });
});

test.each(Object.entries(SCRIPTS))(
  'the script for %s says how to install it, and asks this program',
  (shell, script) => {
    expect(script).toMatch(/^#.*holdpoint/);
    expect(script).toContain(`completion ${shell} --words -- `);
  },
);
