import { describe, expect, test } from 'vitest';
import type { Session } from '../../../src/service/sessions.ts';
import { tempDir } from '../../support/world.ts';
import { fakeCli, ID } from '../fake-cli.ts';

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
