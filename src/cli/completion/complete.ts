import type { Argument, Command, Option } from 'commander';
import { commandNamed } from '../command-named.ts';
import type { Candidate } from './scripts.ts';

/** What may stand in one place of a command line: these words, or what somebody has to look up. */
export type Expected = { words: Candidate[] } | { value: string; before: string[] };

/** What may follow the words before the last one, which is being typed; only what begins like it. */
export function expectedNext(program: Command, typed: string[]): { expected: Expected; current: string } {
  // Bash takes `--state=paused` for three words.
  const words = typed.filter((word, i) => word !== '=' || i === typed.length - 1);
  const current = (words.at(-1) ?? '').replace(/^=$/, '');
  const { command, option, before, onlyValues } = walk(program, words.slice(0, -1));
  const [, name, part] = /^(--[^=]+)=(.*)$/.exec(onlyValues ? '' : current) ?? [];
  const named = name === undefined ? option : optionOf(command, name);
  if (named) return { expected: expectedValue(named, before), current: part ?? current };
  if (current.startsWith('-') && !onlyValues) return { expected: { words: optionsOf(command) }, current };
  if (command.commands.length > 0)
    return { expected: { words: before.length === 0 ? commandsOf(command) : [] }, current };
  if (command.name() === 'help') return { expected: { words: commandsOf(program) }, current };
  return { expected: argumentAt(command, before), current };
}

interface Place {
  command: Command;
  /** The option whose value comes next. */
  option?: Option;
  /** Values given so far. */
  before: string[];
  /** After `--`. */
  onlyValues: boolean;
}

function walk(program: Command, words: string[]): Place {
  const place: Place = { command: program, before: [], onlyValues: false };
  for (const word of words) {
    if (place.option) delete place.option;
    else if (word === '--') place.onlyValues = true;
    else if (word.startsWith('-') && !place.onlyValues) {
      const option = optionOf(place.command, word);
      if (option && (option.required || option.optional)) place.option = option;
    } else {
      const next = commandNamed(place.command, word);
      if (next) place.command = next;
      else place.before.push(word);
    }
  }
  return place;
}

const optionOf = ({ options }: Command, word: string): Option | undefined =>
  options.find(({ long, short }) => word === long || word === short);

const expectedValue = (option: Option, before: string[]): Expected =>
  option.argChoices
    ? { words: option.argChoices.map((value) => ({ value })) }
    : { value: /[<[]([\w-]+)/.exec(option.flags)?.[1] ?? '', before };

function argumentAt(command: Command, before: string[]): Expected {
  const list: readonly Argument[] = command.registeredArguments;
  const argument = list[before.length] ?? (list.at(-1)?.variadic ? list.at(-1) : undefined);
  if (!argument) return { words: [] };
  if (argument.argChoices) return { words: argument.argChoices.map((value) => ({ value })) };
  return { value: argument.name(), before };
}

/** What the help shows; an option that was given may be given again. */
const optionsOf = (command: Command): Candidate[] =>
  command
    .createHelp()
    .visibleOptions(command)
    .map(({ long, short, description }) => ({ value: long ?? short ?? '', about: description }));

const commandsOf = (command: Command): Candidate[] =>
  command
    .createHelp()
    .visibleCommands(command)
    .flatMap((one) =>
      [one.name(), ...one.aliases()].map((value) => ({ value, about: one.summary() || one.description() })),
    );
