import type { CommandWords, HandlerWords } from '../../activities/step/step-words.ts';
import type { Json, JsonObject } from '../../plan/json.ts';
import { describe } from '../plan-file/describe.ts';
import { isJsonObject, type Path } from '../plan-file/plain-json.ts';
import type { Report } from '../plan-file/problems.ts';
import { reader } from './check-words.ts';
import { type Form, readCommand, readCommandItem, textCommand } from './command.ts';
import { COMMAND_WORDS, HANDLER_WORDS, HANDLER_WORDS_REFUSED } from './words.ts';

const FOLLOWS: Form = { known: COMMAND_WORDS, refused: HANDLER_WORDS_REFUSED, isStep: false };
const HANDLER: Form = { known: HANDLER_WORDS, refused: HANDLER_WORDS_REFUSED, isStep: false };

/** How often a step is tried in all when its `on_failure` is an agent and says nothing else. */
const AGENT_ATTEMPTS = 3;
const MOST_ATTEMPTS = 100;

/** `on_success`: one command, or a list. */
export function readOnSuccess(given: Json | undefined, path: Path, report: Report): CommandWords[] {
  if (given === undefined) return [];
  if (Array.isArray(given)) return listOf(given, path, report);
  return [readCommandItem(given, path, FOLLOWS, report)].filter((one) => one !== undefined);
}

/** `on_failure` in its forms: `true`, a text, a list, one command with how often and what then, or only what then. */
export function readOnFailure(
  given: Json | undefined,
  path: Path,
  ofStep: boolean,
  report: Report,
): HandlerWords | undefined {
  if (given === undefined || given === false) return undefined;
  if (given === true) return { commands: [], max_attempts: 1, fail: false };
  if (typeof given === 'string' && given.trim() !== '')
    return { commands: [textCommand(given, path, report)], max_attempts: 1, fail: false };
  if (Array.isArray(given)) return { commands: listOf(given, path, report), max_attempts: 1, fail: false };
  if (isJsonObject(given)) return readHandler(given, path, ofStep, report);
  report.problem(path, `is ${describe(given)}; it has to be a command, a list of them, or true`);
  return undefined;
}

function readHandler(words: JsonObject, path: Path, ofStep: boolean, report: Report): HandlerWords {
  const { max_attempts: _, fail_workflow: __, commands: list, ...rest } = words;
  const read = reader(words, path, report);
  const max_attempts = read.whole('max_attempts', 1, MOST_ATTEMPTS);
  const fail = read.flag('fail_workflow') ?? false;
  const one = readCommand(words, path, HANDLER, report);
  const then = { max_attempts: max_attempts ?? (one?.does === 'claude' && ofStep ? AGENT_ATTEMPTS : 1), fail };
  if (list === undefined) return { commands: one ? [one] : [], ...then };
  const single = Object.keys(rest).find((word) => word === 'shell' || word === 'claude');
  if (single !== undefined)
    report.problem([...path, single], `\`commands\` says already what is done; move \`${single}\` into it`, 'key');
  if (Array.isArray(list)) return { commands: listOf(list, [...path, 'commands'], report), ...then };
  report.problem([...path, 'commands'], `is ${describe(list)}; it has to be a list`);
  return { commands: [], ...then };
}

function listOf(given: Json[], path: Path, report: Report): CommandWords[] {
  if (given.length === 0) report.problem(path, 'is empty; remove it');
  return given.flatMap((one, i) => readCommandItem(one, [...path, i], FOLLOWS, report) ?? []);
}
