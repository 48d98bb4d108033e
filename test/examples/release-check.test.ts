import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tempDir, until } from '../support/world.ts';
import { type ExampleRunner, exampleRunner, ROOT, taskOf } from './run-example.ts';

const git = (directory: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
    cwd: directory,
    encoding: 'utf8',
  });

/** This repository as it is now, all of it committed. */
function committedCopy(): string {
  const directory = tempDir('repository');
  const left = ['.git', 'node_modules', 'out'].map((name) => join(ROOT, name));
  cpSync(ROOT, directory, { recursive: true, filter: (path) => !left.includes(path) });
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
  git(directory, 'init', '--quiet');
  writeFileSync(join(directory, '.git/info/exclude'), 'node_modules\n');
  git(directory, 'add', '--all');
  git(directory, 'commit', '--quiet', '--message', 'all');
  return directory;
}

describe('the release check of this repository', () => {
  let runner: ExampleRunner;
  beforeAll(async () => {
    runner = await exampleRunner();
  });
  afterAll(() => runner.home.end());

  test('holds at a check that fails; mended and tried again, it asks, packs, and tells the hash of the package', async () => {
    const directory = committedCopy();
    appendFileSync(join(directory, 'LICENSE'), '\n');
    const id = await runner.start('release-check.yaml', directory, { test: 'node --check bin/holdpoint.js' });

    // Nothing is mended yet, so it asks anew.
    expect(await runner.answer(id, 'committed', 'retry')).toContain('not committed: M LICENSE');
    const again = async () => (await runner.view(id)).questions.some((question) => question.id === 'committed.2');
    await until('it asks anew', again, 100_000);
    git(directory, 'commit', '--quiet', '--all', '--message', 'mended');
    await runner.answer(id, 'committed', 'retry');

    const asked = await runner.answer(id, 'release', 'release');
    expect(asked).toMatch(/^Release holdpoint \d+\.\d+\.\d+\?/);
    expect(asked).toMatch(/\d+ files, [\d.]+ MB packed/);
    expect(asked).toMatch(/\d+ packages: \d+ MIT/);

    const view = await runner.ends(id);
    expect(view.error).toBe(null);
    expect(taskOf(view, 'committed').outputs).toMatchObject({
      stdout: `everything is committed, as ${git(directory, 'rev-parse', '--short', 'HEAD').trim()}`,
    });
    const [name] = readdirSync(join(directory, 'out/release'));
    const hash = createHash('sha256')
      .update(readFileSync(join(directory, 'out/release', name!)))
      .digest('hex');
    expect(runner.log(id, 'publish')).toBe(`would publish out/release/${name}, sha256 ${hash}\n`);
  }, 180_000);
});

describe('a check', () => {
  const script = (name: string) => join(ROOT, 'examples/release-check', name);

  function checked(name: string, files: Record<string, unknown>, input = '') {
    const directory = tempDir('check');
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(directory, path)), { recursive: true });
      writeFileSync(join(directory, path), typeof content === 'string' ? content : JSON.stringify(content));
    }
    git(directory, 'init', '--quiet');
    if ('tagged' in files) {
      git(directory, 'commit', '--quiet', '--allow-empty', '--message', 'x');
      git(directory, 'tag', String(files.tagged));
    }
    const { status, stdout, stderr } = spawnSync(process.execPath, [script(name)], {
      cwd: directory,
      input,
      encoding: 'utf8',
    });
    return { status, out: stdout.trim(), error: stderr.trim() };
  }

  const lock = (license?: string) => ({
    'package-lock.json': { packages: { '': {}, 'node_modules/a': { version: '1.0.0', license } } },
  });
  test.each<[string | undefined, string | undefined]>([
    ['MIT', undefined],
    ['(MIT OR GPL-3.0)', undefined],
    ['Apache-2.0 AND MIT', undefined],
    ['GPL-3.0', 'licences that nobody has allowed: a@1.0.0 (GPL-3.0)'],
    ['MIT AND GPL-3.0', 'licences that nobody has allowed: a@1.0.0 (MIT AND GPL-3.0)'],
    [undefined, 'licences that nobody has allowed: a@1.0.0 (none)'],
  ])('of licences, given %s, says %s', (license, error) => {
    const found = checked('licences.js', lock(license));
    expect([found.status, found.error]).toEqual(error ? [1, error] : [0, '']);
  });

  const versions = (version: string, locked: string, logged: string) => ({
    'package.json': { name: 'p', version },
    'package-lock.json': { version: locked },
    'CHANGELOG.md': `# Changes\n\n## ${logged}\n`,
  });
  test.each<[string, Record<string, unknown>, string]>([
    ['all the same', versions('1.2.3', '1.2.3', '1.2.3'), ''],
    ['none', versions('1.2', '1.2', '1.2'), '"1.2" is no version'],
    ['locked otherwise', versions('1.2.3', '1.2.2', '1.2.3'), 'package-lock.json has 1.2.2; run npm install'],
    ['not logged', versions('1.2.3', '1.2.3', '1.2.2'), 'write a section "## 1.2.3"'],
    ['tagged', { ...versions('1.2.3', '1.2.3', '1.2.3'), tagged: 'v1.2.3' }, 'the tag v1.2.3 is there already'],
  ])('of versions that are %s', (_, files, error) => {
    const found = checked('version.js', files);
    expect(found).toMatchObject({ status: error ? 1 : 0, error: expect.stringContaining(error) });
  });

  const packed = (...more: string[]) => {
    const needed = [
      'package.json',
      'README.md',
      'LICENSE',
      'bin/holdpoint.js',
      'dist/bundle/main.cjs',
      'dist/build.json',
    ];
    const paths = [...needed.filter((path) => !more.includes(`-${path}`)), ...more.filter((path) => path[0] !== '-')];
    return JSON.stringify([{ files: paths.map((path) => ({ path })), size: 1, unpackedSize: 1 }]);
  };
  test.each<[string[], string]>([
    [[], ''],
    [['-LICENSE'], 'missing: LICENSE'],
    [['test/a.test.ts', '.env'], 'should not be in it: test/a.test.ts, .env'],
  ])('of what is packed, with %j, says %s', (more, error) => {
    const found = checked('contents.js', {}, packed(...more));
    expect(found).toMatchObject({ status: error ? 1 : 0, error: expect.stringContaining(error) });
  });
});
