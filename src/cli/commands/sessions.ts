import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { addSessionsClean } from './sessions-clean.ts';
import { addSessionsLs } from './sessions-ls.ts';
import { addSessionsShow } from './sessions-show.ts';

export function addSessions(program: Command, cli: Cli): void {
  const sessions = program
    .command('sessions')
    .summary('list, show and clean up sessions')
    .description('Sessions are what `run` starts: plans that a command line can go on with.');
  addSessionsLs(sessions, cli);
  addSessionsShow(sessions, cli);
  addSessionsClean(sessions, cli);
}
