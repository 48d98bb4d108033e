import { describe, expect, test } from 'vitest';
import { takeLease } from '../../../src/home/leases.ts';
import type { ReadPlan } from '../../../src/service/read-plan.ts';
import type { Session } from '../../../src/service/sessions.ts';
import { tempDir } from '../../support/world.ts';
import { AT, fakeCli, ID, view } from '../fake-cli.ts';

const session = (more: Partial<Session>): Session => ({
  session_id: '2026-01-31-0900-x-k3f9x',
  plan_id: ID,
  name: 'x',
  state: 'failed',
  open: false,
  file: '/srv/x.yaml',
  directory: '/srv',
  file_hash: '',
  format: 1,
  created_at: new Date(0),
  updated_at: new Date(0),
  ...more,
});

async function resumed(found: Session, ...args: string[]) {
  const service = { session: async () => found };
  const { run, err } = fakeCli({ service, env: { HOLDPOINT_HOME: tempDir('home') } });
  return { code: await run('run', ...args, '--resume', found.session_id), err: err.join('\n') };
}

describe('a session of another format is refused, with how to start afresh', () => {
  test.each([
    ['a later one', 2, 'is a session of format 2, and cannot be gone on with here'],
    ['none', 0, 'is no session of this command line, and cannot be gone on with here'],
  ])('%s', async (_, format, words) => {
    const { code, err } = await resumed(session({ format }));
    expect(code).toBe(12);
    expect(err).toContain(words);
    expect(err).toContain('start afresh: holdpoint run /srv/x.yaml');
    expect(err).toContain(`holdpoint resume ${ID}`);
  });
});

test('one that completed is refused, with how to start a new one', async () => {
  const { code, err } = await resumed(session({ state: 'completed' }));
  expect([code, err]).toEqual([
    5,
    expect.stringMatching(/not resumable: it completed .*; start a new one: holdpoint run /),
  ]);
});

test('one of standard input is not of a file', async () => {
  const { code, err } = await resumed(session({ file: undefined }), 'y.yaml');
  expect([code, err]).toEqual([10, expect.stringContaining('is not of y.yaml, but of standard input')]);
});

describe('--resume-last while a process of this directory', () => {
  const here = { session_id: 'newer', file: '/nowhere/x.yaml', directory: '/nowhere' };
  const atWork = session({ ...here, state: 'executing', open: true });

  async function resumeLast(held: Partial<ReadPlan>, file: string) {
    const home = tempDir('home');
    await takeLease(home, { plan_id: ID, session_id: 'newer', org_id: 'local', directory: '/nowhere' });
    const { run, err } = fakeCli({
      env: { HOLDPOINT_HOME: home },
      service: { sessions: async () => [], session: async () => atWork, read: async () => view(held) },
    });
    return { code: await run('run', file, '--resume-last'), err: err.join('\n') };
  }
  const hold = { reason: 'interrupted', since: AT, by: 'you' } as const;

  test('still ends what it runs, it is said to be interrupted just now', async () => {
    const { code, err } = await resumeLast({ pausing: true, hold }, 'x.yaml');
    expect([code, err]).toEqual([
      9,
      expect.stringMatching(/session newer is just being interrupted: process \d+ on .*; try again when/),
    ]);
  });

  test.each([
    ['is at work', { pausing: false }, 'x.yaml'],
    ['is paused by somebody', { pausing: true, hold: { ...hold, reason: 'paused' } as const }, 'x.yaml'],
    ['interrupts another file', { pausing: true, hold }, 'y.yaml'],
  ])('%s, none was interrupted', async (_, held, file) => {
    const { code, err } = await resumeLast(held, file);
    expect([code, err]).toEqual([
      3,
      expect.stringContaining(`no session of ${file} was interrupted in this directory`),
    ]);
  });
});
