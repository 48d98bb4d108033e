import { loadConfig } from '../../config.ts';
import { readLease } from '../../home/leases.ts';
import { isTerminal } from '../../plan/lifecycle.ts';
import type { ReadPlan } from '../../service/read-plan.ts';
import { type WorktreeStanding, worktreeOf } from '../../service/session-worktree.ts';
import { type Cli, printJson } from '../cli.ts';
import { findPlan } from '../find-plan.ts';
import { age, statusWord } from '../render/session-list.ts';
import { count, localTime, oneLine, pathText } from '../render/text.ts';
import { withEngine } from '../with-engine.ts';
import { fileStands } from './file-stands.ts';
import { rowOf, type SessionRow } from './session-row.ts';
import { positionWords, resumeCommand } from './words.ts';

export interface ShowOptions {
  json?: true;
}

export async function show(cli: Cli, id: string, { json }: ShowOptions): Promise<void> {
  const { home } = loadConfig(cli.env);
  const { session, view } = await withEngine(cli, 'sessions show', async (engine) => {
    const { service, caller } = engine;
    const plan_id = await findPlan(engine, id);
    const [session, view] = await Promise.all([service.session(caller, plan_id), service.read(caller, plan_id)]);
    return { session, view };
  });
  // The plan itself knows best, where it was asked.
  const position = view.freshness.live && view.position.steps > 0 ? view.position : session.position;
  const row = rowOf({ ...session, ...(position && { position }) }, readLease(home, session.plan_id));
  const next = nextTask(view);
  const file = await fileStands(session);
  const tree = await worktreeOf(session);
  const resume = row.resumable ? resumeCommand(cli, session.file, session.session_id) : undefined;
  if (json)
    return printJson(cli, {
      ...row,
      name: session.name,
      next: next ?? null,
      file_stands: file ?? null,
      ...(tree && { worktree_stands: tree }),
      resume: resume ?? null,
    });
  for (const line of lines(cli, row, { name: session.name, next, file, tree, resume, error: view.error }))
    cli.out.line(line);
}

interface More {
  name: string;
  next: string | undefined;
  file: string | undefined;
  tree: WorktreeStanding | undefined;
  resume: string | undefined;
  error: ReadPlan['error'];
}

function lines(cli: Cli, row: SessionRow, { name, next, file, tree, resume, error }: More): string[] {
  const { step, steps, iteration, iterations } = row;
  const position =
    step === null || steps === null
      ? undefined
      : positionWords({ step, steps, ...(iteration !== null && iterations !== null && { iteration, iterations }) });
  const facts: [string, string | undefined][] = [
    ['status', statusWord(row.status, cli) + (row.held_by === undefined ? '' : `  (${row.held_by})`)],
    ['name', oneLine(name)],
    ['position', position],
    ['next', next],
    ['why', error ? oneLine(`${error.task ? `task ${error.task}: ` : ''}${error.message}`) : undefined],
    ['file', `${row.file === null ? 'standard input' : pathText(row.file)}${file === undefined ? '' : `  (${file})`}`],
    ['directory', pathText(row.directory)],
    ['worktree', tree && row.worktree && `${row.worktree.path}  (${treeWords(tree, row.worktree.path)})`],
    ['branch', row.worktree?.branch],
    ['plan', row.plan_id],
    ['started', localTime(row.created_at)],
    ['last moved', `${localTime(row.updated_at)}  (${age(row.updated_at)} ago)`],
    ['resume', resume],
  ];
  const width = Math.max(...facts.map(([word]) => word.length)) + 2;
  const told = facts.flatMap(([word, text]) => (text === undefined ? [] : [`  ${word.padEnd(width)}${text}`]));
  return [cli.out.colours.bold(`session ${row.session_id}`), ...told];
}

function treeWords({ exists, commits_ahead, uncommitted_files, problem }: WorktreeStanding, path: string): string {
  // It stands right before.
  if (problem !== undefined) return problem.startsWith(`${path} `) ? problem.slice(path.length + 1) : problem;
  const ahead = commits_ahead === null ? [] : [count(commits_ahead, 'commit')];
  const files = uncommitted_files ? [`${count(uncommitted_files, 'file')} not committed`] : [];
  return [...(exists ? [] : ['not there; made again by a resume']), ...ahead, ...files].join(', ');
}

/** What a resume begins with. */
function nextTask(view: ReadPlan): string | undefined {
  const { state, tasks, current_tasks } = view;
  if (state.status === 'completed') return undefined;
  const open = tasks.filter(({ status, handler }) => !handler && !['succeeded', 'skipped'].includes(status));
  const inner = open.findLast(({ id, status }) => id.includes('/') && status !== 'cancelled');
  return isTerminal(state.status) ? open[0]?.id : (stepOf(view, current_tasks.at(-1)) ?? inner?.id ?? open[0]?.id);
}

/** Of an iteration that is under way, the step that it is at. */
function stepOf({ tasks }: ReadPlan, id: string | undefined): string | undefined {
  const of = tasks.find(({ iteration, id: map }) => iteration && id === `${map}[${iteration.input - 1}]`)?.iteration;
  return of?.task === undefined ? id : `${id}/${of.task}`;
}
