import type { MapWords } from '../../plan/definition.ts';
import type { JsonObject } from '../../plan/json.ts';
import { DECISION, DECISION_OPTIONS, type QuestionText, REJECT } from '../../plan/questions.ts';
import type { Foreseen } from './foresee.ts';

/** A question that a plan would ask somebody, or may ask. */
export interface AskedLater {
  /** Null for the review of the whole plan. */
  task: string | null;
  kind: string;
  /** With its expressions in it, as far as they are known only when it is asked. */
  prompt: string;
  options?: string[];
  form?: JsonObject;
  timeout_ms?: number;
  /** What then happens: one of the options, `fail` or `hold`. */
  on_timeout?: string;
  /** Asked once for every item of a map. */
  per_item?: true;
  /** Asked only then. */
  when?: string;
}

export function questionsOf(tasks: Foreseen[], review: boolean): AskedLater[] {
  const first: AskedLater[] = review
    ? [{ task: null, kind: 'review', prompt: 'May the plan begin?', options: ['approve', REJECT] }]
    : [];
  return [...first, ...tasks.flatMap((one) => [...asked(one), ...askedAfterFailure(one)])];
}

function asked({ id, task, when, words, per_item }: Foreseen): AskedLater[] {
  const item = task.mode === 'map' ? (task.with as unknown as MapWords).task : task;
  if (item.mode !== 'question') return [];
  const { prompt, options, form, timeout_ms, on_timeout } = (words ?? item.with) as unknown as QuestionText;
  return [
    {
      task: id,
      kind: item.kind,
      prompt,
      ...(form ? { form } : { options }),
      ...(timeout_ms !== undefined && { timeout_ms, on_timeout: on_timeout ?? 'fail' }),
      ...((per_item || task.mode === 'map') && { per_item: true }),
      ...(when !== undefined && { when }),
    },
  ];
}

function askedAfterFailure({ id, task, per_item }: Foreseen): AskedLater[] {
  if (task.on_failure !== 'hold') return [];
  const prompt = `${id} has failed: what now?`;
  return [
    {
      task: id,
      kind: DECISION,
      prompt,
      options: [...DECISION_OPTIONS],
      ...(per_item && { per_item }),
      when: `${id} has failed`,
    },
  ];
}
