import type { Client } from '@temporalio/client';
import { QUERIES } from '../contract/names.ts';
import type { EventsPage, EventsRequest } from '../contract/payloads.ts';
import { Fault } from '../faults.ts';
import { sameValues } from '../plan/form.ts';
import type { JsonObject } from '../plan/json.ts';
import type { AnswerRecord } from '../plan/state.ts';
import type { PlanView } from '../plan/view.ts';
import { ask } from './queries.ts';

interface Asked {
  /** Its id, or its task's. */
  question: string;
  choice?: string;
  values?: JsonObject;
}

/**
 * An answer to a question of a plan that has ended: the one given before, given again, has its first record. Any other is
 * refused with what became of the question; `how` says how the plan ended.
 */
export async function answerOfClosed(client: Client, id: string, given: Asked, how: string): Promise<AnswerRecord> {
  const { question, choice, values } = given;
  const closed = (why: string) => new Fault('QUESTION_CLOSED', `question "${question}" is closed: ${why}`);
  const view = await ask<PlanView>(client, { id }, QUERIES.status);
  if (typeof view === 'symbol') throw closed(`the plan is ${how}`);
  const named = view.tasks.find((task) => task.id === question);
  const task = named ?? view.tasks.find(({ id }) => id === question.replace(/\.\d+$/, ''));
  if (!task) throw new Fault('QUESTION_NOT_FOUND', `there is no question or task "${question}"`);
  if (!named && (await lastQuestion(client, id, task.id)) !== question) throw closed(`the plan is ${how}`);
  if (!task.answer) throw closed(task.error?.message ?? task.reason ?? `the plan is ${how}`);
  const { at, ...record } = task.answer;
  if (record.choice === choice && sameValues(record.values, values)) return { ...record, at: Date.parse(at) };
  const what = record.choice ?? JSON.stringify(record.values);
  throw new Fault('QUESTION_CLOSED', `already answered "${what}" by ${record.by} at ${at}`);
}

async function lastQuestion(client: Client, id: string, task: string): Promise<string | undefined> {
  const request: EventsRequest = { after_seq: 0, limit: 5_000 };
  const page = await ask<EventsPage>(client, { id }, QUERIES.events, request);
  if (typeof page === 'symbol') return undefined;
  return page.events.findLast((event) => event.type === 'QuestionOpened' && event.task === task)?.question;
}
