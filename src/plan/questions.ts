import { startClock } from './clocks.ts';
import { record } from './events.ts';
import { asText } from './expression.ts';
import { formProblem, sameValues, withDefaults } from './form.ts';
import type { JsonObject } from './json.ts';
import type { RefusalCode } from './lifecycle.ts';
import { nameOf, type Plan, taskAt } from './plan.ts';
import { holdsStored } from './scope.ts';
import type { Actor, AnswerRecord, Question } from './state.ts';

/** What a question task asks, as its kind leaves it once expressions are filled in. */
export interface QuestionText {
  prompt: string;
  options: string[];
  form?: JsonObject;
  timeout_ms?: number;
  on_timeout?: string;
}

export interface Answer {
  choice?: string;
  values?: JsonObject;
  comment?: string;
}

/** The choice that fails its task. */
export const REJECT = 'reject';

export function openQuestion(plan: Plan, i: number, text: QuestionText, now: number, kind?: string): void {
  const { task, at } = taskAt(plan, i);
  const name = nameOf(plan, i);
  at.status = 'waiting';
  at.asked += 1;
  const { timeout_ms, prompt, options, ...asked } = text;
  at.question = {
    id: `${name}.${at.asked}`,
    kind: kind ?? task.kind,
    opened_at: now,
    prompt: shortened(asText(prompt)),
    options: options.map(asText),
    ...asked,
  } satisfies Question;
  plan.index.questions.add(i);
  if (timeout_ms !== undefined) {
    at.clock = startClock(timeout_ms, now);
    plan.index.clocks.add(i);
  }
  record(plan.state, now, 'QuestionOpened', { task: name, question: at.question.id, message: at.question.prompt });
}

/** What may be decided about a failed task with `on_failure: hold`, by a question of this kind. */
export const DECISION = 'decision';
export const DECISION_OPTIONS = ['retry', 'skip', 'complete', 'abort'] as const;
export type Decision = (typeof DECISION_OPTIONS)[number];

export function askWhatToDo(plan: Plan, i: number, now: number): void {
  const { at } = taskAt(plan, i);
  const text = { prompt: `${nameOf(plan, i)} failed: ${at.error!.message}`, options: [...DECISION_OPTIONS] };
  openQuestion(plan, i, text, now, DECISION);
}

/** People read a prompt; what is longer than a page is cut. */
const LONGEST_PROMPT = 4_000;
const shortened = (text: string): string =>
  text.length <= LONGEST_PROMPT ? text : `${text.slice(0, LONGEST_PROMPT)} … (${text.length} characters in all)`;

export function closeQuestion(plan: Plan, i: number): void {
  const at = plan.state.tasks[i]!;
  at.question = undefined;
  at.clock = undefined;
  plan.index.questions.delete(i);
  plan.index.clocks.delete(i);
}

/** A task by the id that people use, with or without the path of the sub-plan it is in. */
export function findTask({ index, path }: Plan, name: string): number | undefined {
  return index.byId.get(name.startsWith(path) ? name.slice(path.length) : name);
}

export type Found =
  | { task: number; question: Question }
  | { refused: RefusalCode; message: string }
  | { repeated: AnswerRecord };

/**
 * The open question that `name` means: a question's id, or a task's. Early, late and unknown names each get their own
 * refusal; the answer already given, given again, gets its first record.
 */
export function findQuestion(plan: Plan, name: string, answer: Answer): Found {
  const i = findTask(plan, name) ?? findTask(plan, name.replace(/\.\d+$/, ''));
  if (i === undefined) return notHere(plan, name);
  const { task, at } = taskAt(plan, i);
  const isTask = i === findTask(plan, name);
  if (task.mode !== 'question' && at.asked === 0)
    return { refused: 'QUESTION_NOT_FOUND', message: `task "${task.id}" asks nothing; it is of kind ${task.kind}` };
  if (at.question && (isTask || at.question.id === name)) return { task: i, question: at.question };
  const number = isTask ? at.asked : Number(name.slice(name.lastIndexOf('.') + 1));
  if (number > at.asked || at.asked === 0) {
    const message = isTask
      ? `the question of task "${task.id}" is not open yet`
      : `question "${name}" has not been asked`;
    return { refused: isTask ? 'QUESTION_CLOSED' : 'QUESTION_NOT_FOUND', message };
  }
  const last = at.answered;
  if (last && (isTask || last.question === name)) {
    if (sameAnswer(last.record, answer)) return { repeated: last.record };
    const given = last.record.choice ?? JSON.stringify(last.record.values);
    const when = new Date(last.record.at).toISOString();
    return { refused: 'QUESTION_CLOSED', message: `already answered "${given}" by ${last.record.by} at ${when}` };
  }
  const why = at.reason ?? at.error?.message ?? 'it has been asked anew since';
  return { refused: 'QUESTION_CLOSED', message: `question "${name}" is closed: ${why}` };
}

/** Inside a map or sub-plan that is not at work there is no open question; any other name means nothing. */
function notHere(plan: Plan, name: string): Found {
  const outer = findTask(plan, name.slice(plan.path.length).replace(/[[/].*$/s, ''));
  if (outer === undefined || !/[[/]/.test(name))
    return { refused: 'QUESTION_NOT_FOUND', message: `there is no question or task "${name}"` };
  const { task, at } = taskAt(plan, outer);
  return { refused: 'QUESTION_CLOSED', message: `question "${name}" is not open: ${task.id} is ${at.status}` };
}

/** Answers are kept in the plan itself. */
const LONGEST_ANSWER = 64 * 1_024;

/** What is wrong with an answer to this question; undefined when it may be taken. */
export function answerProblem(question: Question, answer: Answer): string | undefined {
  if (holdsStored(answer.values)) return 'values: the key "$stored" is refused';
  const bytes = JSON.stringify([answer.values, answer.comment]).length;
  if (bytes > LONGEST_ANSWER)
    return `values and comment: ${bytes} characters as JSON; at most ${LONGEST_ANSWER} are kept`;
  if (question.form) return formProblem(question.form, answer.values);
  const options = question.options.map((option) => `"${option}"`).join(', ');
  if (answer.choice === undefined) return `choice: missing; choose one of ${options}`;
  if (!question.options.includes(answer.choice)) return `choice: "${answer.choice}" is not one of ${options}`;
  return undefined;
}

/** Records the answer; the caller ends the task by it. */
export function takeAnswer(plan: Plan, i: number, answer: Answer, actor: Actor, now: number): AnswerRecord {
  const { at } = taskAt(plan, i);
  const { id: question, form } = at.question!;
  const given: AnswerRecord = {
    ...(answer.choice !== undefined && !form && { choice: answer.choice }),
    ...(answer.values !== undefined && { values: form ? withDefaults(form, answer.values) : answer.values }),
    ...(answer.comment !== undefined && { comment: answer.comment }),
    by: actor.name,
    at: now,
  };
  at.answered = { question, record: given };
  closeQuestion(plan, i);
  record(plan.state, now, 'QuestionAnswered', {
    task: nameOf(plan, i),
    question,
    by: actor.name,
    ...(answer.choice !== undefined && { message: answer.choice }),
    ...(answer.comment !== undefined && { details: { comment: answer.comment } }),
  });
  return given;
}

const sameAnswer = (record: AnswerRecord, answer: Answer): boolean =>
  record.choice === answer.choice && sameValues(record.values, answer.values);
