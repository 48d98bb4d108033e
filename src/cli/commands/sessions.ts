import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { examples } from '../help.ts';
import type { CleanOptions } from '../session/clean.ts';
import type { ListOptions } from '../session/ls.ts';
import type { ShowOptions } from '../session/show.ts';

/** What they do is loaded when it is asked for. */
export function addSessions(program: Command, cli: Cli): void {
  const sessions = program
    .command('sessions')
    .summary('list, show and clean up sessions')
    .description('Sessions are what `run` starts: plans that a command line can go on with.');
  addLs(sessions, cli);
  addShow(sessions, cli);
  addClean(sessions, cli);
}

function addLs(sessions: Command, cli: Cli): void {
  const command = sessions
    .command('ls')
    .alias('list')
    .summary('list sessions that can be resumed, newest first')
    .description('List the sessions of this directory that can be resumed, newest first.')
    .option('--all', 'those of every directory, and those that run or are over')
    .option('--json', 'print the list as JSON')
    .action(async (options: ListOptions) => (await import('../session/ls.ts')).list(cli, options));
  examples(command, ['sessions ls', 'sessions ls --all', 'sessions ls --json']);
}

function addShow(sessions: Command, cli: Cli): void {
  const command = sessions
    .command('show')
    .summary('show a session, and how to go on with it')
    .description('Show where a session stands, what comes next, and how to go on with it.')
    .argument('<session-id>', 'the session, or its plan')
    .option('--json', 'print it as JSON')
    .action(async (id: string, options: ShowOptions) => (await import('../session/show.ts')).show(cli, id, options));
  examples(command, ['sessions show 2026-01-31-0900-release-k3f9x', 'sessions show 3f2b9c --json']);
}

function addClean(sessions: Command, cli: Cli): void {
  const command = sessions
    .command('clean')
    .summary('remove sessions that are over')
    .description('Remove sessions of this directory that completed. What can be resumed is kept, unless --all says so.')
    .option('--all', 'of every directory, and what could be resumed, too; what is running is kept')
    .option('--older-than <time>', 'only what has not moved for so long, such as 7d')
    .option('-y, --yes', 'remove without asking')
    .option('--json', 'print what was removed as JSON')
    .action(async (options: CleanOptions) => (await import('../session/clean.ts')).clean(cli, options));
  examples(command, ['sessions clean', 'sessions clean --older-than 7d --yes', 'sessions clean --all']);
}
