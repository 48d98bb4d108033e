import { STATUS_CODES } from 'node:http';
import { TaskFailure } from '../kind.ts';
import { bodyForm } from './content-types.ts';
import type { Answer } from './follow.ts';
import { excerpt } from './receive.ts';
import { shownUrl } from './shown-url.ts';

/** Answers that another attempt may mend; all other unexpected ones would come again. */
const mayPass = (status: number): boolean => [408, 425, 429].includes(status) || status >= 500;

/** What an answer with a status that is not expected fails a task with. */
export async function unexpected(answer: Answer): Promise<TaskFailure> {
  const { method, url, status, headers } = answer;
  const body = bodyForm(String(headers['content-type'] ?? '')) === 'binary' ? '' : await excerpt(answer);
  return new TaskFailure(`${method} ${shownUrl(url)} → ${status} ${STATUS_CODES[status] ?? ''}`.trimEnd(), {
    final: !mayPass(status) && 'hopeless',
    details: { status, ...(body && { body }) },
  });
}
