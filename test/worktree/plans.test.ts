import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Fault } from '../../src/faults.ts';
import type { CreateRequest } from '../../src/service/create-plan.ts';
import { recordPlace } from '../../src/service/place.ts';
import { caller, startWorld, tempDir, until, witness } from '../support/world.ts';
import { commit, env, git, newRepository, placeOf, standing } from './repositories.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const create = (plan: string, repository: string, more: Partial<CreateRequest> = {}) =>
  world.create(plan, { place: placeOf(repository), ...more });
const refused = async (asked: Promise<unknown>): Promise<Fault> => {
  const thrown = await asked.catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(Fault);
  return thrown as Fault;
};
const worktreeOf = async (id: string) => (await world.read(id)).worktree!;
const untouched = (repository: string, head: string) =>
  expect(standing(repository)).toEqual({ head, branch: 'main', status: '' });

/** Tells where it is, commits there, and fails until it may succeed: the plan of case 27. */
const fixing = (w: ReturnType<typeof witness>, more = '') => `
plan: 1
name: fix
worktree: true
tasks:
  fix:
    run: |
      echo "$(pwd) $(git rev-parse --abbrev-ref HEAD)" >> ${w.path('where')}
      echo x >> f
      git commit --quiet --all --message x
      test -f ${w.path('ok')}
    ${more}
`;
const wheres = (w: ReturnType<typeof witness>) => readFileSync(w.path('where'), 'utf8').trim().split('\n');

test('every attempt runs in the same worktree, and the main checkout stays where it is (case 27)', async () => {
  const w = witness();
  const repository = newRepository();
  const head = git(repository, 'rev-parse', 'HEAD');
  const id = await create(fixing(w, 'retry: { max_attempts: 2, delay: 2s }'), repository);
  await until('its first attempt has failed', async () => (await world.task(id, 'fix')).due_at);
  await world.command(id, 'pause');
  writeFileSync(w.path('ok'), '');
  await world.command(id, 'resume');
  await world.reaches(id, 'completed');
  const { path, branch } = await worktreeOf(id);
  expect(await worktreeOf(id)).toEqual({ repository, path, branch: `holdpoint/${id}`, base: head });
  expect(path.startsWith(join(world.home, 'worktrees', 'app-'))).toBe(true);
  expect(wheres(w)).toEqual([`${path} ${branch}`, `${path} ${branch}`]);
  expect(git(repository, 'rev-list', '--count', `${head}..${branch}`)).toBe('2');
  untouched(repository, head);
});

test.each([
  ['as it is', () => {}],
  ['deleted', (path: string) => rmSync(path, { recursive: true })],
  [
    'deleted and pruned',
    (path: string, repository: string) => {
      rmSync(path, { recursive: true });
      git(repository, 'worktree', 'prune');
    },
  ],
  ['unregistered', (path: string) => rmSync(git(path, 'rev-parse', '--absolute-git-dir'), { recursive: true })],
])(
  'a resume goes on in it, %s, with another worker, wherever the main checkout is by now (case 27)',
  async (_, spoil) => {
    const w = witness();
    const repository = newRepository();
    const id = await create(fixing(w), repository);
    await world.reaches(id, 'failed');
    const { path, branch, base } = await worktreeOf(id);
    const head = commit(repository, 'meanwhile');
    spoil(path, repository);
    await world.stopWorker();
    await world.startWorker();
    writeFileSync(w.path('ok'), '');
    await world.service.nextRun(caller, id, { mode: 'resume' });
    await world.reaches(id, 'completed');
    expect(wheres(w)).toEqual([`${path} ${branch}`, `${path} ${branch}`]);
    expect(git(path, 'rev-list', '--count', `${base}..HEAD`)).toBe('2');
    expect(await worktreeOf(id)).toEqual({ repository, path, branch, base });
    untouched(repository, head);
  },
);

test('replaced by a plain directory it is refused by name before any command runs (case 27)', async () => {
  const w = witness();
  const repository = newRepository();
  const head = git(repository, 'rev-parse', 'HEAD');
  const id = await create(fixing(w), repository);
  await world.reaches(id, 'failed');
  const { path } = await worktreeOf(id);
  rmSync(path, { recursive: true });
  mkdirSync(path);
  writeFileSync(join(path, 'f'), 'theirs');
  const words = `the worktree ${path} of the plan was replaced by a directory that is no worktree; move that away`;
  for (const request of [{ mode: 'resume' }, { mode: 'resume', dry_run: true }, { mode: 'retry' }] as const)
    expect(await refused(world.service.nextRun(caller, id, request))).toMatchObject({
      code: 'PLAN_NOT_RESUMABLE',
      message: expect.stringContaining(words),
    });
  expect(readFileSync(join(path, 'f'), 'utf8')).toBe('theirs');
  expect(wheres(w)).toHaveLength(1);
  untouched(repository, head);
});

test('two commands work in one; deleted between them it is put back, and replaced nothing runs in it', async () => {
  const w = witness();
  const repository = newRepository();
  const head = git(repository, 'rev-parse', 'HEAD');
  const plan = `
plan: 1
name: steps
worktree: true
steps:
  - { id: one, run: "echo 1 > one; git add one; git commit --quiet --message one" }
  - { id: go, approve: "Go on?" }
  - { id: two, run: "cat one; echo 2 > two; git add two; git commit --quiet --message two" }
  - { id: again, approve: "Go on?" }
  - { id: three, retry: { max_attempts: 3, delay: 0s }, run: "${w.mark('three')}" }
`;
  const id = await create(plan, repository);
  const answer = async (task: string) => {
    const view = await until('it asks', async () => {
      const read = await world.read(id);
      return read.questions[0]?.task === task && read;
    });
    await world.command(id, 'answer', { question: view.questions[0]!.id, choice: 'approve' });
  };
  await until('it asks', async () => (await world.read(id)).questions.length > 0);
  const { path, branch } = await worktreeOf(id);
  rmSync(path, { recursive: true });
  await answer('go');
  await until('the second step has ended', async () => (await world.task(id, 'two')).status === 'succeeded');
  expect((await world.task(id, 'two')).outputs).toMatchObject({ stdout: '1' });
  expect(git(repository, 'log', '--format=%s', `${head}..${branch}`)).toBe('two\none');
  await until('it asks again', async () => (await world.read(id)).questions[0]?.task === 'again');
  rmSync(path, { recursive: true });
  writeFileSync(path, 'theirs');
  await answer('again');
  await world.reaches(id, 'failed');
  expect(await world.task(id, 'three')).toMatchObject({
    attempt: 1,
    error: { message: expect.stringContaining(`the worktree ${path} of the plan was replaced by a file`) },
  });
  expect(w.n('three')).toBe(0);
  rmSync(path);
  await world.service.nextRun(caller, id, { mode: 'resume' });
  await world.reaches(id, 'completed');
  expect(w.n('three')).toBe(1);
  expect(git(path, 'log', '--format=%s', `${head}..HEAD`)).toBe('two\none');
  untouched(repository, head);
});

test('declared files that are on its branch are not gone because it was deleted', async () => {
  const w = witness();
  const repository = newRepository();
  const plan = `
plan: 1
name: files
worktree: true
steps:
  - { id: gen, run: "${w.mark('gen')}; echo 1 > out; git add out; git commit --quiet --message out", outputs: [out] }
  - { id: last, run: "test -f ${w.path('ok')}" }
`;
  const id = await create(plan, repository);
  await world.reaches(id, 'failed');
  const { path } = await worktreeOf(id);
  rmSync(path, { recursive: true });
  writeFileSync(w.path('ok'), '');
  expect(await world.service.nextRun(caller, id, { mode: 'resume', dry_run: true })).toMatchObject({ run: ['last'] });
  rmSync(path, { recursive: true });
  await world.service.nextRun(caller, id, { mode: 'resume' });
  await world.reaches(id, 'completed');
  expect(w.n('gen')).toBe(1);
});

test('plans at once, of one repository and of another of the same folder name, are in nobody’s way', async () => {
  const repositories = [newRepository(), newRepository()];
  const plan = `
plan: 1
name: many
worktree: true
tasks:
  each:
    map:
      in: "\${{ [1, 2, 3, 4] }}"
      task: { run: "pwd; test \\"$HOLDPOINT_WORKTREE\\" = \\"$(pwd)\\"; test \\"$HOLDPOINT_BRANCH\\" = \\"$(git branch --show-current)\\"" }
  mine: { needs: each, run: "echo $HOLDPOINT_PLAN_ID > f; git commit --quiet --all --message mine" }
`;
  const ids = await Promise.all(repositories.flatMap((at) => [create(plan, at), create(plan, at), create(plan, at)]));
  await Promise.all(ids.map((id) => world.reaches(id, 'completed')));
  const all = await Promise.all(ids.map(worktreeOf));
  expect(new Set(all.map(({ path }) => path)).size).toBe(6);
  for (const [i, { path, repository }] of all.entries()) {
    expect(repository).toBe(repositories[Math.floor(i / 3)]);
    expect(readFileSync(join(path, 'f'), 'utf8').trim()).toBe(ids[i]);
    expect(git(repository, 'worktree', 'list').split('\n')).toHaveLength(4);
  }
  for (const at of repositories) expect(readFileSync(join(at, 'f'), 'utf8')).toBe('first\n');
});

const LOOK = 'plan: 1\nname: look\nworktree: true\ntasks:\n  look: { run: pwd }\n';
const plain = LOOK.replace('worktree: true\n', '');

test('commands run in the directory of the repository where the plan was started', async () => {
  const repository = newRepository();
  const id = await create(LOOK, join(repository, 'docs'));
  await world.reaches(id, 'completed');
  expect((await world.task(id, 'look')).outputs).toMatchObject({
    stdout: join((await worktreeOf(id)).path, 'docs'),
  });
});

test('whoever makes the plan has the last word, and a session gives its name', async () => {
  const repository = newRepository();
  const without = await create(LOOK, repository, { worktree: false });
  await world.reaches(without, 'completed');
  expect((await world.task(without, 'look')).outputs).toMatchObject({ stdout: repository });
  const session = { format: 1, id: '2026-11-29-0932-release-k3f9', file_hash: '', directory: repository };
  const ids: string[] = [];
  for (const _ of [1, 2]) {
    ids.push(await create(plain, repository, { worktree: true, session }));
    await world.reaches(ids.at(-1)!, 'completed');
  }
  expect((await worktreeOf(ids[0]!)).branch).toBe(`holdpoint/${session.id}`);
  expect((await worktreeOf(ids[1]!)).branch).toBe(`holdpoint/${session.id}-2`);
});

test('it is told while no worker answers, too', async () => {
  const id = await create(LOOK, newRepository());
  await world.reaches(id, 'completed');
  const worktree = await worktreeOf(id);
  await world.stopWorker();
  const read = await world.read(id);
  await world.startWorker();
  expect(read).toMatchObject({ worktree, freshness: { live: false } });
});

test('the same id with and without a worktree is not the same plan', async () => {
  const repository = newRepository();
  const plan_id = crypto.randomUUID();
  await create(LOOK, repository, { plan_id });
  expect(await create(LOOK, repository, { plan_id })).toBe(plan_id);
  expect(await create(plain, repository, { plan_id, worktree: true })).toBe(plan_id);
  expect((await refused(create(plain, repository, { plan_id }))).code).toBe('PLAN_EXISTS');
});

test('nothing is left of a plan that could not be made, or has not begun', async () => {
  const repository = newRepository();
  const invalid = `${LOOK}  bad: { needs: nobody, run: x }\n`;
  expect((await refused(create(invalid, repository))).code).toBe('PLAN_INVALID');
  const id = await create(LOOK, repository, { review: 'required' });
  const { path, branch } = await worktreeOf(id);
  expect(existsSync(dirname(path))).toBe(false);
  expect(git(repository, 'branch', '--list', branch)).toBe('');
  await world.command(id, 'stop');
});

test.each([
  ['without a directory', () => recordPlace(env), /^worktree: the plan was given no directory/],
  ['in no repository', () => placeOf(tempDir('plain')), /^worktree: .* is in no Git repository/],
])('%s it is refused in words', async (_, place, message) => {
  expect(await refused(world.create(LOOK, { place: place() }))).toMatchObject({
    code: 'REQUEST_INVALID',
    message: expect.stringMatching(message),
  });
});

test('a plan that began without one does not move into one', async () => {
  const repository = newRepository();
  const id = await create(plain.replace('pwd', 'exit 1'), repository);
  await world.reaches(id, 'failed');
  expect(await refused(world.service.nextRun(caller, id, { mode: 'resume', plan: LOOK }))).toMatchObject({
    code: 'REQUEST_INVALID',
    message: expect.stringContaining('worktree: the plan began without a worktree'),
  });
});
