import { describe, expect, test } from 'vitest';
import { sessionListLines } from '../../../src/cli/render/session-list.ts';
import type { SessionRow } from '../../../src/cli/session/session-row.ts';
import { fakeCli } from '../fake-cli.ts';

const row = (more: Partial<SessionRow> = {}): SessionRow => ({
  session_id: '2026-01-31-0900-nightly-build-k3f9x',
  plan_id: '3f2b9c1e-0000-4000-8000-000000000001',
  status: 'interrupted',
  resumable: true,
  step: 2,
  steps: 3,
  iteration: null,
  iterations: null,
  file: '/srv/repo/build.yaml',
  directory: '/srv/repo',
  created_at: '2026-01-31T09:00:00.000Z',
  updated_at: new Date().toISOString(),
  ...more,
});

function listed(rows: SessionRow[], columns?: number, all?: true): string[] {
  const { cli } = fakeCli({ directory: '/srv/repo' });
  return sessionListLines(rows, { ...cli, out: { ...cli.out, ...(columns && { columns }) } }, all);
}

test('a row each, and how to go on with the newest that can be resumed', () => {
  expect(listed([row({ status: 'completed', resumable: false, session_id: 'a' }), row()])).toEqual([
    'SESSION                              STATUS       STEP  AGE  FILE',
    'a                                    completed    2/3   now  build.yaml',
    '2026-01-31-0900-nightly-build-k3f9x  interrupted  2/3   now  build.yaml',
    '',
    'resume it: holdpoint run build.yaml --resume 2026-01-31-0900-nightly-build-k3f9x',
  ]);
  expect(listed([])).toEqual([]);
});

test('iterations have a column where there are some', () => {
  const [head, first] = listed([row({ iteration: 2, iterations: 4 }), row()]);
  expect(head).toContain('STEP  ITER  AGE');
  expect(first).toContain('2/3   2/4   now');
});

describe('a narrow terminal', () => {
  const rows = [row({ iteration: 2, iterations: 4, directory: '/home/somebody/code/a-long-name/of/a/repository' })];
  const width = (columns?: number) =>
    Math.max(
      ...listed(rows, columns, true)
        .slice(0, 2)
        .map(({ length }) => length),
    );
  test.each([100, 90, 80])('of %i columns: no row is longer', (columns) =>
    expect(width(columns)).toBeLessThanOrEqual(columns),
  );
  test('of directories the ends are kept', () => expect(listed(rows, 80, true)[1]).toMatch(/ …\S*repository$/));
  test('what is written to a pipe is cut nowhere', () =>
    expect(listed(rows, undefined, true)[1]).toMatch(/build\.yaml {2}\/home\/somebody\/.*repository$/));
});
