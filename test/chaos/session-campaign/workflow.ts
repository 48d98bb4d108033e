import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { tempDir, witness } from '../../support/world.ts';
import { FULL } from '../campaign.ts';

const INPUTS = ['one', 'two', 'three'];
const STEPS = Array.from({ length: 10 }, (_, i) => `s${i + 1}`);
/** These commit what the ones before have written; what the last of an iteration writes is for the next one to commit. */
const COMMITTING = ['s3', 's6', 's9'];
const PAUSE_S = FULL ? 0.05 : 0.03;

/** Names of the steps as plans call them, in order. */
const TASKS = INPUTS.flatMap((_, i) => STEPS.map((id) => `iterate[${i}]/${id}`));

/**
 * What each step does. It can be cut anywhere and done again: a line that is the last already is not written again, files
 * come into their place at once, and commits are by the same hand at the same time. One that had finished and is done again shows:
 * its line is no longer the last. Outside, it says when it begins and ends, and which earlier attempt of it is still alive.
 */
const script = (dir: string, env: string) => `
set -e
${env}
ITEM=$1 STEP=$2
say() { echo "$1 $HOLDPOINT_TASK" >> "${dir}/said"; }
pids="${dir}/pids-\${HOLDPOINT_TASK//\\//:}"
test -f "$pids" && while read -r pid; do
  case $(ps -o stat= -p "$pid") in ""|Z*) ;; *) say overlap ;; esac
done < "$pids"
echo $$ >> "$pids"
say begin
sleep ${PAUSE_S}
for file in all "of-$ITEM"; do
  test "$(tail -n 1 "$file" 2> /dev/null)" = "$ITEM $STEP" && continue
  { cat "$file" 2> /dev/null || true; echo "$ITEM $STEP"; } > "$file.new"
  mv "$file.new" "$file"
done
sleep ${PAUSE_S}
case " ${COMMITTING.join(' ')} " in *" $STEP "*)
  git add all of-*
  git diff --cached --quiet || git commit --quiet --message "$ITEM $STEP"
esac
sleep ${PAUSE_S}
say end
`;

const HAND = {
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_AUTHOR_DATE: '2026-01-31T09:00:00Z',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.org',
  GIT_COMMITTER_DATE: '2026-01-31T09:00:00Z',
};

/** A repository with one commit, always the same. */
export function campaignRepository() {
  const path = tempDir('repo');
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: path, env: { ...process.env, ...HAND }, encoding: 'utf8' }).trim();
  git('init', '--quiet', '--initial-branch', 'main');
  git('config', 'gc.auto', '0');
  writeFileSync(join(path, 'all'), 'begin\n');
  git('add', '.');
  git('commit', '--quiet', '--message', 'begin');
  return { path, git };
}
export type Repository = ReturnType<typeof campaignRepository>;

/** A workflow of ten steps for each of three inputs, in a worktree; its marks are outside of it. */
export function campaignWorkflow() {
  const { dir, path } = witness();
  const exports = Object.entries(HAND).map(([name, value]) => `export ${name}="${value}"`);
  writeFileSync(path('step.sh'), script(dir, exports.join('\n')));
  const step = (id: string) => ({ id, run: `bash ${path('step.sh')} \${{ item }} ${id}` });
  const file = path('wf.yml');
  writeFileSync(
    file,
    JSON.stringify({ plan: 1, name: 'cut', worktree: true, iterate: { over: INPUTS }, steps: STEPS.map(step) }),
  );
  const said = (word: string): string[] =>
    readFileSync(path('said'), { encoding: 'utf8', flag: 'a+' })
      .split('\n')
      .filter((line) => line.startsWith(`${word} `))
      .map((line) => line.slice(word.length + 1));
  return {
    file,
    total: TASKS.length,
    /** Steps as they began and ended, in order, each as often as it did. */
    begun: () => said('begin'),
    ended: () => said('end'),
    overlaps: () => said('overlap'),
    marks: { tasks: TASKS, n: (task: string) => said('begin').filter((begun) => begun === task).length },
  };
}
export type Workflow = ReturnType<typeof campaignWorkflow>;

/** All that a run leaves, byte for byte: the commits of its branch, and the files of its worktree. */
export function resultOf({ git }: Repository, { path, branch }: { path: string; branch: string }) {
  const files = readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !(entry.name === '.git' && entry.parentPath === path))
    .map((entry) => join(entry.parentPath, entry.name));
  return {
    // Everything before it, its tree, author and date are in its name.
    commit: git('rev-parse', branch),
    tree: git('rev-parse', `${branch}^{tree}`),
    status: git('-C', path, 'status', '--porcelain'),
    files: Object.fromEntries(
      files.map((file) => [relative(path, file), [statSync(file).mode, readFileSync(file, 'utf8')]]),
    ),
  };
}
