import { Command } from 'commander';
import { thisBuild } from '../engine/build.ts';
import { type Cli, type Screen, withoutColours } from './cli.ts';
import { addAnswer } from './commands/answer.ts';
import { addApprove } from './commands/approve.ts';
import { addBundle } from './commands/bundle.ts';
import { addChat } from './commands/chat.ts';
import { addCompletion } from './commands/completion.ts';
import { addDoctor } from './commands/doctor.ts';
import { addGraph } from './commands/graph.ts';
import { addHelp } from './commands/help.ts';
import { addHold } from './commands/hold.ts';
import { addKey } from './commands/key.ts';
import { addLimits } from './commands/limits.ts';
import { addLogs } from './commands/logs.ts';
import { addLs } from './commands/ls.ts';
import { addMcp } from './commands/mcp.ts';
import { addOpen } from './commands/open.ts';
import { addPause } from './commands/pause.ts';
import { addPlasm } from './commands/plasm.ts';
import { addRelease } from './commands/release.ts';
import { addResume } from './commands/resume.ts';
import { addRetry } from './commands/retry.ts';
import { addRun } from './commands/run.ts';
import { addSchema } from './commands/schema.ts';
import { addServer } from './commands/server.ts';
import { addSessions } from './commands/sessions.ts';
import { addShow } from './commands/show.ts';
import { addStop } from './commands/stop.ts';
import { addUp } from './commands/up.ts';
import { addValidate } from './commands/validate.ts';
import { addWatch } from './commands/watch.ts';
import { addWhy } from './commands/why.ts';
import { completeHelp, examples } from './help.ts';

/** Every command, in the order and groups of the help. */
const GROUPS: [string, ((program: Command, cli: Cli) => void)[]][] = [
  ['Plans:', [addRun, addValidate, addGraph, addSchema, addLs, addShow, addWatch, addWhy, addLogs, addBundle, addOpen]],
  ['Control:', [addPause, addResume, addStop, addRetry, addApprove, addAnswer, addHold, addRelease]],
  ['Agents:', [addChat]],
  ['Programs:', [addPlasm]],
  ['Sessions:', [addSessions]],
  ['Engine:', [addUp, addServer, addMcp, addLimits, addDoctor, addKey]],
  ['Help:', [addHelp, addCompletion]],
];

export function createProgram(cli: Cli): Command {
  const printer = (screen: Screen) => (text: string) => screen.line(text.replace(/\n$/, ''));
  const program = new Command('holdpoint')
    .description(
      'Runs plans that survive crashes, and that people and agents can pause, resume, stop, approve and watch.',
    )
    .version(thisBuild().version, '-V, --version', 'show the version')
    .option('--no-color', 'print without colours; NO_COLOR=1 does the same')
    .on('option:no-color', () => withoutColours(cli))
    .helpOption('-h, --help', 'show this help')
    // What a command takes is in its own help.
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .helpCommand(false)
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
  completeHelp(program);
  return program;
}
