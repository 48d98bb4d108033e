import type { JsonObject } from '../../plan/json.ts';
import type { CommandName } from '../../plan/lifecycle.ts';
import { DECISION } from '../../plan/questions.ts';
import type { QuestionView } from '../../plan/view.ts';
import type { CommandRequest } from '../../service/control-plan.ts';
import type { ReadPlan } from '../../service/read-plan.ts';
import { firstLines, oneLine } from '../render/text.ts';
import { choiceField, commentField, type Field, formFields, outputsField } from './fields.ts';

/** Something that only a person can let go on, and what it takes: fields to fill in, and the command they make. */
export interface OpenItem {
  /** The same for the same thing in every view. */
  key: string;
  title: string;
  /** The title as its author broke it into lines. */
  lines?: string[];
  /** Whose answer tells that it is settled. */
  task?: string;
  fields: Field[];
  command(given: JsonObject): { name: CommandName; request: CommandRequest };
}

const MOST_LINES = 60;

/** Everything in a plan that waits for somebody, in the order in which it should be looked at. */
export function openItems(view: ReadPlan): OpenItem[] {
  const review = view.waiting_for.some(({ what }) => what === 'review') ? [reviewItem(view)] : [];
  const releases = view.waiting_for.filter(({ what, task }) => what === 'release' && task !== undefined);
  return [
    ...review,
    ...view.questions.map(questionItem),
    ...releases.map(({ task, text }) => releaseItem(task!, text)),
  ];
}

const reviewItem = ({ name }: ReadPlan): OpenItem => ({
  key: 'review',
  title: `Let the plan ${oneLine(name)} begin?`,
  fields: [choiceField(['approve'])],
  command: () => ({ name: 'approve', request: {} }),
});

const releaseItem = (task: string, text: string): OpenItem => ({
  key: `release ${task}`,
  title: oneLine(text),
  task,
  fields: [choiceField(['release'])],
  command: () => ({ name: 'release', request: { task } }),
});

function questionItem({ id, task, kind, prompt, options, form }: QuestionView): OpenItem {
  const asked = form ? formFields(form) : [choiceField(options), ...(kind === DECISION ? [outputsField] : [])];
  return {
    key: `question ${id}`,
    title: `${id}: ${oneLine(prompt, 1_000)}`,
    ...(prompt.trimEnd().includes('\n') && { lines: firstLines(`${id}: ${prompt}`, MOST_LINES).filter(Boolean) }),
    task,
    fields: [...asked, commentField],
    command({ [COMMENT]: comment, [CHOICE]: choice, [OUTPUTS]: outputs, ...values }) {
      const given = form ? { values } : { choice: choice as string, ...(outputs && { values: outputs as JsonObject }) };
      return { name: 'answer', request: { question: id, ...given, ...(comment && { comment: comment as string }) } };
    },
  };
}

const COMMENT = commentField.name;
const CHOICE = choiceField([]).name;
const OUTPUTS = outputsField.name;
