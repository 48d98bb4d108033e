import { type Command, CommanderError } from 'commander';

/** The argument by which every command takes a plan. */
export const PLAN = ['<id>', 'the plan: its id, the first 6 or more characters of it, or its session'] as const;

/** Puts examples at the head of a command's help: they are what people look for first. */
export function examples(command: Command, lines: string[]): void {
  command.addHelpText('before', `Examples:\n${lines.map((line) => `  $ holdpoint ${line}`).join('\n')}\n`);
}

/** What the process may end with, whatever the command. */
const EXIT_CODES: Record<number, string> = {
  0: 'ok',
  1: 'the plan failed, or something went wrong inside Holdpoint',
  2: 'wrong usage, or a plan file that is not valid',
  3: 'there is no such plan, task or question',
  4: 'not allowed',
  5: 'refused in the state that it is in',
  6: 'the engine cannot be reached, or something is missing',
  8: 'the plan was stopped',
  9: 'the session is running elsewhere',
  10: 'the session is of another file',
  11: 'the file of the session was edited, and nobody agreed to that',
  12: 'the session is of an older format',
  130: 'interrupted by Ctrl+C (129 by HUP, 143 by TERM)',
};

/** Which of them a command ends with; where it is not named, those of a command that asks the engine about a plan. */
const ENDS_WITH: Record<string, number[]> = {
  run: [0, 1, 2, 3, 5, 6, 8, 9, 10, 11, 12, 130],
  validate: [0, 2],
  graph: [0, 2, 3, 6],
  ls: [0, 2, 6],
  show: [0, 2, 3, 6],
  watch: [0, 1, 2, 3, 6, 8, 130],
  why: [0, 2, 3, 6],
  open: [0, 2, 3, 6],
  logs: [0, 2, 3, 6, 130],
  bundle: [0, 2, 3, 6],
  chat: [0, 1, 2, 4, 5, 6, 130],
  'plasm run': [0, 1, 2, 3, 4, 5, 6, 8, 130],
  'plasm catalog': [0, 2, 3, 4, 6],
  schema: [0],
  up: [0, 2, 5, 6],
  status: [0, 6],
  mcp: [0, 2],
  doctor: [0, 6],
  completion: [0, 2],
  key: [0, 2],
  help: [0, 2],
};
const ABOUT_A_PLAN = [0, 2, 3, 4, 5, 6];

/** The parts of the help that are the same everywhere; call it when all commands are there. */
export function completeHelp(program: Command): void {
  program.addHelpText('after', exitCodes(Object.keys(EXIT_CODES).map(Number)));
  for (const command of program.commands) completeCommand(command);
}

function completeCommand(command: Command): void {
  const path = command.parent?.parent ? `${command.parent.name()} ${command.name()}` : command.name();
  // Whatever is wrong with it, its own help tells more than that of the program.
  command.exitOverride((error) => {
    throw new UsageError(error, path);
  });
  if (command.commands.length > 0) command.helpCommand(false);
  else command.addHelpText('after', exitCodes(ENDS_WITH[path] ?? ENDS_WITH[command.name()] ?? ABOUT_A_PLAN));
  for (const inner of command.commands) completeCommand(inner);
}

const exitCodes = (codes: number[]): string =>
  ['', 'Exit codes:', ...codes.map((code) => `  ${String(code).padEnd(3)}  ${EXIT_CODES[code]}`)].join('\n');

/** What commander says of one command's usage. */
export class UsageError extends CommanderError {
  readonly command: string;

  constructor({ exitCode, code, message }: CommanderError, command: string) {
    super(exitCode, code, message);
    this.command = command;
  }
}
