import type { CommandWords } from '../../activities/step/step-words.ts';
import type { RetryPolicy } from '../../plan/definition.ts';
import { parseDuration } from '../../plan/duration.ts';
import type { Json, JsonObject } from '../../plan/json.ts';
import { whenFault } from '../../plan/step/when.ts';
import { describe, quote } from '../plan-file/describe.ts';
import { MOST_TASKS, tooManyTasks } from '../plan-file/document.ts';
import { isJsonObject, type Path } from '../plan-file/plain-json.ts';
import type { Report } from '../plan-file/problems.ts';
import { checkWords, reader } from './check-words.ts';
import { type Form, readCommandItem } from './command.ts';
import { checkText } from './texts.ts';
import { RETRY_WORDS, RETRY_WORDS_REFUSED, STEP_WORDS, STEP_WORDS_REFUSED } from './words.ts';

/** A step of the file that can be run. */
export interface Step {
  /** Of its task: the file's own, or `step-N`. */
  task: string;
  name: string;
  command: CommandWords;
  when?: string;
  retry: RetryPolicy;
}

const STEP: Form = { known: STEP_WORDS, refused: STEP_WORDS_REFUSED, isStep: true };

export const ONCE: RetryPolicy = { max_attempts: 1, delay_ms: 1_000, backoff: 2, max_delay_ms: 300_000 };

/** Reads a list of steps; what is wrong in one hides nothing of another. */
export function readSteps(list: Json[], path: Path, report: Report): Step[] {
  if (list.length === 0) report.problem(path, 'there has to be at least one step', 'key');
  if (list.length > MOST_TASKS) {
    report.problem(path, tooManyTasks, 'key');
    return [];
  }
  const taken = new Set<string>();
  return list.flatMap((given, i) => {
    const at = [...path, i];
    const words = isJsonObject(given) ? given : {};
    const command = readCommandItem(given, at, STEP, report);
    const when = readWhen(words, at, report);
    const retry = readRetry(words, at, report);
    const task = command?.id ?? `step-${i + 1}`;
    if (taken.has(task))
      report.problem(
        [...at, ...(command?.id === undefined ? [] : ['id'])],
        `the id ${quote(task)} is taken by an earlier step; give this one its own`,
      );
    taken.add(task);
    if (!command) return [];
    const name = typeof words.name === 'string' ? words.name : task;
    return [{ task, name, command, ...(when !== undefined && { when }), retry }];
  });
}

function readWhen(words: JsonObject, path: Path, report: Report): string | undefined {
  const { when } = words;
  if (typeof when === 'boolean') return String(when);
  const text = reader(words, path, report).text('when');
  if (text === undefined) return undefined;
  checkText(text, [...path, 'when'], report);
  const fault = whenFault(text);
  if (fault !== undefined)
    report.problem(
      [...path, 'when'],
      `this condition cannot be read: ${fault}; conditions have ==, !=, >, >=, contains, &&, || and parentheses`,
    );
  return text;
}

const BACKOFFS: Record<string, number> = { exponential: 2, fixed: 1 };

/** `retry`: attempts in all, with delays between them. */
function readRetry(words: JsonObject, path: Path, report: Report): RetryPolicy {
  const given = words.retry;
  if (given === undefined) return ONCE;
  const at = [...path, 'retry'];
  if (words.on_failure !== undefined && words.on_failure !== false)
    report.problem(
      at,
      '`retry` and `on_failure` in one step are not supported: `max_attempts` of `on_failure` runs the step again',
      'key',
    );
  if (words.allow_failure === true)
    report.problem(at, '`retry` and `allow_failure` in one step are not supported: keep one', 'key');
  if (!isJsonObject(given)) {
    report.problem(at, `is ${describe(given)}; it has to be a map, such as { attempts: 3 }`);
    return ONCE;
  }
  checkWords(given, at, RETRY_WORDS, RETRY_WORDS_REFUSED, report);
  const attempts = reader(given, at, report).whole('attempts', 1, 1_000) ?? 3;
  const { backoff = 'exponential' } = given;
  if (typeof backoff !== 'string' || !Object.hasOwn(BACKOFFS, backoff))
    report.problem([...at, 'backoff'], `is ${describe(backoff)}; it has to be exponential or fixed`);
  const delay_ms = readDelay(given, 'initial_delay', at, report) ?? 1_000;
  const max_delay_ms = Math.max(readDelay(given, 'max_delay', at, report) ?? 30_000, delay_ms);
  return { max_attempts: attempts, delay_ms, backoff: BACKOFFS[String(backoff)] ?? 2, max_delay_ms };
}

function readDelay(words: JsonObject, word: string, path: Path, report: Report): number | undefined {
  const given = words[word];
  if (given === undefined) return undefined;
  const ms =
    typeof given === 'number' && given >= 0
      ? given * 1_000
      : typeof given === 'string'
        ? parseDuration(given)
        : undefined;
  if (ms === undefined)
    report.problem([...path, word], `is ${describe(given)}; write a duration such as 500ms, 10s or 1m`);
  return ms;
}
