import {
  CAPTURE_FORMATS,
  CAPTURE_STREAMS,
  type CaptureFormat,
  type CommandWords,
} from '../../activities/step/step-words.ts';
import type { Json, JsonObject } from '../../plan/json.ts';
import { NAME, NAME_RULE } from '../../plan/schema.ts';
import { describe, quote } from '../plan-file/describe.ts';
import { isJsonObject, type Path } from '../plan-file/plain-json.ts';
import type { Report } from '../plan-file/problems.ts';
import { checkWords, reader } from './check-words.ts';
import { readEnv } from './environment.ts';
import { readOnFailure, readOnSuccess } from './handlers.ts';
import { checkText } from './texts.ts';
import { TAKEN } from './words.ts';

/** How a command may be written where it stands. */
export interface Form {
  known: readonly string[];
  refused: Record<string, string>;
  /** Whether it is a step of the file, not one that follows from another. */
  isStep: boolean;
}

/** One `shell:` or `claude:` with what belongs to it; undefined when it cannot be told what it does. */
export function readCommand(words: JsonObject, path: Path, form: Form, report: Report): CommandWords | undefined {
  const meant = checkWords(words, path, form.known, form.refused, report);
  const read = reader(words, path, report);
  const does = doesWhat(words, path, meant, form, report);
  const text = does && read.text(does);
  if (text !== undefined) checkText(text, [...path, does!], report);
  const id = readId(words, path, report);
  for (const word of ['name', 'description']) read.text(word);
  const env = read.map('env');
  const working_dir = read.text('working_dir');
  if (working_dir !== undefined) checkText(working_dir, [...path, 'working_dir'], report);
  const timeout_ms = read.seconds('timeout');
  const capture = readCapture(words, path, report);
  const on_success = readOnSuccess(words.on_success, [...path, 'on_success'], report);
  const on_failure = readOnFailure(words.on_failure, [...path, 'on_failure'], form.isStep, report);
  const variables = env && readEnv(env, [...path, 'env'], report);
  for (const [name, value] of Object.entries(variables ?? {})) checkText(value, [...path, 'env', name], report);
  const commit_required = read.flag('commit_required');
  const allow_failure = read.flag('allow_failure');
  if (does === undefined || text === undefined) return undefined;
  return {
    does,
    text,
    ...(id !== undefined && { id }),
    ...(capture && { capture }),
    ...(variables && { env: variables }),
    ...(working_dir !== undefined && { working_dir }),
    ...(timeout_ms !== undefined && { timeout_ms }),
    ...(commit_required && { commit_required }),
    ...(allow_failure && { allow_failure }),
    ...(on_success.length > 0 && { on_success }),
    ...(on_failure && { on_failure }),
  };
}

/** A command of a list: a map, or in handlers a text, which an agent takes when it begins with a slash. */
export function readCommandItem(given: Json, path: Path, form: Form, report: Report): CommandWords | undefined {
  if (isJsonObject(given)) return readCommand(given, path, form, report);
  if (typeof given !== 'string' || given.trim() === '')
    report.problem(path, `is ${describe(given)}; a step is a map, such as { shell: "npm test" }`);
  else if (!form.isStep) return textCommand(given, path, report);
  else
    report.problem(
      path,
      `a step that is only a text is an older form: write claude: ${quote(given.startsWith('/') ? given : `/${given}`)}`,
    );
  return undefined;
}

export function textCommand(given: string, path: Path, report: Report): CommandWords {
  checkText(given, path, report);
  const [, does, text] = /^(shell|claude):\s*(.+)$/s.exec(given) ?? [];
  if (does === 'shell' || does === 'claude') return { does, text: text! };
  return { does: given.startsWith('/') ? 'claude' : 'shell', text: given };
}

function doesWhat(words: JsonObject, path: Path, meant: string[], { refused, known }: Form, report: Report) {
  const [first, second] = Object.keys(words).filter((word) => word === 'shell' || word === 'claude');
  if (second !== undefined) {
    report.problem(
      [...path, second],
      `a step does one thing, and this one has \`${first}\` already; make it two steps`,
      'key',
    );
    return undefined;
  }
  if (first !== undefined) return first as 'shell' | 'claude';
  const isTold =
    meant.some((word) => word === 'shell' || word === 'claude') || Object.keys(words).some((word) => word in refused);
  const isOther =
    known.includes('fail_workflow') && (words.commands !== undefined || words.fail_workflow !== undefined);
  if (!isTold && !isOther) report.problem(path, 'the step does nothing; it has to have `shell` or `claude`', 'key');
  return undefined;
}

function readId(words: JsonObject, path: Path, report: Report): string | undefined {
  const id = reader(words, path, report).text('id');
  if (id === undefined) return undefined;
  if (NAME.test(id) && !TAKEN.includes(id)) return id;
  const why = TAKEN.includes(id) ? 'it has a meaning of its own' : `ids have ${NAME_RULE}`;
  report.problem([...path, 'id'], `${quote(id)} cannot be a step's id; ${why}`);
  return undefined;
}

/** `capture`, or `capture_output` with a name; `true` says nothing new, for every output can be read by its kind. */
function readCapture(words: JsonObject, path: Path, report: Report): CommandWords['capture'] {
  const read = reader(words, path, report);
  const output = words.capture_output;
  const names = [read.text('capture'), typeof output === 'boolean' ? undefined : read.text('capture_output')];
  const [name, second] = names.filter((one) => one !== undefined);
  const format = read.text('capture_format');
  const streams = read.map('capture_streams');
  if (second !== undefined && second !== name)
    report.problem(
      [...path, 'capture_output'],
      `names ${quote(second)}, and \`capture\` names ${quote(name!)}; keep one`,
    );
  if (name !== undefined && (!/^[A-Za-z_][\w-]{0,63}$/.test(name) || TAKEN.includes(name)))
    report.problem(
      [...path, words.capture === undefined ? 'capture_output' : 'capture'],
      `${quote(name)} cannot be a variable; ${TAKEN.includes(name) ? 'it has a meaning of its own' : `names have ${NAME_RULE}`}`,
    );
  if (format !== undefined && !(CAPTURE_FORMATS as readonly string[]).includes(format))
    report.problem(
      [...path, 'capture_format'],
      `is ${quote(format)}; it has to be one of ${CAPTURE_FORMATS.join(', ')}`,
    );
  const on = streamsOf(streams ?? {}, [...path, 'capture_streams'], report);
  for (const word of ['capture_format', 'capture_streams'])
    if (name === undefined && words[word] !== undefined)
      report.problem([...path, word], `\`${word}\` needs a variable: name it with \`capture: NAME\``, 'key');
  if (name === undefined) return undefined;
  return { name, format: (format ?? 'string') as CaptureFormat, streams: on };
}

function streamsOf(given: JsonObject, path: Path, report: Report) {
  checkWords(given, path, CAPTURE_STREAMS, {}, report);
  const read = reader(given, path, report);
  return CAPTURE_STREAMS.filter((stream) => read.flag(stream) ?? stream !== 'stderr');
}
