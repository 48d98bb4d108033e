import { expect, test } from 'vitest';
import { resumeCommand } from '../../../src/cli/session/words.ts';
import { fakeCli } from '../fake-cli.ts';

test.each([
  ['/here/plan.yaml', 'plan.yaml'],
  ['/here/a b/c.yaml', "'a b/c.yaml'"],
  ['/there/plan.yaml', '/there/plan.yaml'],
  ['/here/-plan.yaml', './-plan.yaml'],
  ['/here/--help', './--help'],
  ['/here/-', './-'],
  ['/here/new\nline.yaml', "$'new\\x0aline.yaml'"],
])('the file %j is named %s in the command that goes on with its session', (file, named) => {
  const { cli } = fakeCli({ directory: '/here' });
  expect(resumeCommand(cli, file, 'ID')).toBe(`holdpoint run ${named} --resume ID`);
});
