import type { CommandName } from '../../plan/lifecycle.ts';
import type { ReadPlan } from '../../service/read-plan.ts';
import { openItems } from './open-items.ts';

/** What one key of the live view does, and when there is something for it to do. */
export interface KeyAction {
  key: string;
  does: 'pause' | 'resume' | 'stop' | 'answer' | 'help' | 'leave';
  label(view: ReadPlan): string;
  help: string;
  /** What it says instead where whoever leaves ends what runs. */
  ofSession?: { label: string; help: string };
  applies(view: ReadPlan): boolean;
}

const allows = (name: CommandName) => (view: ReadPlan) => view.allowed_actions.includes(name);

export const KEYS: readonly KeyAction[] = [
  {
    key: 'a',
    does: 'answer',
    label: (view) => (openItems(view).length > 1 ? `answer (${openItems(view).length})` : 'answer'),
    help: 'answer what the plan waits for: questions, reviews, held tasks',
    applies: (view) => openItems(view).length > 0,
  },
  {
    key: 'p',
    does: 'pause',
    label: () => 'pause',
    help: 'start nothing new; what runs ends first',
    applies: allows('pause'),
  },
  { key: 'r', does: 'resume', label: () => 'resume', help: 'let the plan go on', applies: allows('resume') },
  { key: 's', does: 'stop', label: () => 'stop', help: 'end the plan now, after asking', applies: allows('stop') },
  { key: '?', does: 'help', label: () => 'help', help: 'these lines', applies: () => true },
  {
    key: 'q',
    does: 'leave',
    label: () => 'leave',
    help: 'leave this view, as Ctrl+C does; the plan goes on',
    ofSession: { label: 'interrupt', help: 'interrupt the session, as Ctrl+C does; it can be resumed from there' },
    applies: () => true,
  },
];

export const actionFor = (view: ReadPlan, text: string): KeyAction | undefined =>
  KEYS.find(({ key, applies }) => key === text && applies(view));

export const keysLine = (view: ReadPlan, interrupts?: boolean): string =>
  KEYS.filter(({ applies }) => applies(view))
    .map(({ key, label, ofSession }) => `${key} ${(interrupts && ofSession?.label) || label(view)}`)
    .join('  ');

export const helpLines = (interrupts?: boolean): string[] =>
  KEYS.map(({ key, help, ofSession }) => `${key}  ${(interrupts && ofSession?.help) || help}`);
