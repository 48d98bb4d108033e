import { Command } from 'commander';
import { thisBuild } from '../engine/build.ts';
import type { Cli, Screen } from './cli.ts';
import { addAnswer } from './commands/answer.ts';
import { addApprove } from './commands/approve.ts';
import { addDoctor } from './commands/doctor.ts';
import { addHold } from './commands/hold.ts';
import { addKey } from './commands/key.ts';
import { addLs } from './commands/ls.ts';
import { addPause } from './commands/pause.ts';
import { addRelease } from './commands/release.ts';
import { addResume } from './commands/resume.ts';
import { addRetry } from './commands/retry.ts';
import { addRun } from './commands/run.ts';
import { addServer } from './commands/server.ts';
import { addShow } from './commands/show.ts';
import { addStop } from './commands/stop.ts';
import { addUp } from './commands/up.ts';
import { addValidate } from './commands/validate.ts';
import { examples } from './help.ts';

const EXIT_CODES = `
Exit codes:
  0 ok   1 plan failed   2 usage or invalid plan   3 not found   4 not allowed   5 refused in this state
  6 engine unreachable   8 plan stopped   130 interrupted (the plan goes on)`;

/** Every command, in the order and groups of the help. */
const GROUPS: [string, ((program: Command, cli: Cli) => void)[]][] = [
  ['Plans:', [addRun, addValidate, addLs, addShow]],
  ['Control:', [addPause, addResume, addStop, addRetry, addApprove, addAnswer, addHold, addRelease]],
  ['Engine:', [addUp, addServer, addDoctor, addKey]],
];

export function createProgram(cli: Cli): Command {
  const printer = (screen: Screen) => (text: string) => screen.line(text.replace(/\n$/, ''));
  const program = new Command('holdpoint')
    .description(
      'Runs plans that survive crashes, and that people and agents can pause, resume, stop, approve and watch.',
    )
    .version(thisBuild().version, '-V, --version')
    .exitOverride()
    // Errors are told once, by whoever runs the program.
    .configureOutput({ writeOut: printer(cli.out), writeErr: printer(cli.err), outputError() {} });
  examples(program, [
    'run plan.yaml',
    'run plan.yaml --input version=1.2 --detach',
    'ls --state executing',
    'pause 3f2b9c',
  ]);
  for (const [heading, commands] of GROUPS) {
    program.commandsGroup(heading);
    for (const add of commands) add(program, cli);
  }
  program.commandsGroup('Help:').helpCommand('help [command]', 'show the help of a command');
  return program.addHelpText('after', EXIT_CODES);
}
