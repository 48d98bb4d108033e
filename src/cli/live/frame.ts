import { answerCommand } from '../render/commands.ts';
import { oneLine } from '../render/text.ts';
import { dialogKeys, dialogRows } from './dialog-rows.ts';
import { fit } from './fit.ts';
import { helpLines, keysLine } from './keys.ts';
import type { LiveState } from './live-state.ts';
import { openItems } from './open-items.ts';
import { planRows } from './rows.ts';
import type { Look } from './task-row.ts';

export interface Window extends Look {
  rows: number;
  /** How people call this program. */
  self: string;
  /** Whether keys are heard; otherwise the commands are shown. */
  hasKeys: boolean;
}

/** Where there is room, a blank row parts the view from the news above it. */
const ROOM_FOR_A_BLANK = 12;
/** Rows of questions at the most where commands are shown. */
const COMMAND_ROWS = 3;
/** The beginning of an id, which commands take, so that they fit. */
const SHORT_ID = 8;

/** Everything the live view draws: the plan, below it what somebody is doing, and at last what the keys do. */
export function frame(state: LiveState, window: Window): string[] {
  const { columns, now, colours } = window;
  const below = [...lowerRows(state, window)];
  if (state.notice && state.notice.until > now) below.push(colours.yellow(fit(oneLine(state.notice.text), columns)));
  if (window.hasKeys) below.push(colours.dim(fit(keysOf(state), columns)));
  const above = window.rows >= ROOM_FOR_A_BLANK ? [''] : [];
  const plan = planRows(state.view, Math.max(2, window.rows - below.length - above.length), window);
  return [...above, ...plan, ...below].slice(-window.rows);
}

function lowerRows({ mode, view, interrupts }: LiveState, window: Window): string[] {
  const { columns, colours, signs } = window;
  if (mode === 'help') return ['', ...helpLines(interrupts).map((line) => fit(`  ${line}`, columns))];
  if (mode === 'confirm stop')
    return [
      fit(`${colours.yellow('Stop this plan?')} What runs is ended; finished work is kept for a resume.`, columns),
    ];
  if (mode === 'watch') return window.hasKeys ? [] : commandRows(view, window);
  if ('answer' in mode) return ['', ...dialogRows(mode.answer, window)];
  const items = openItems(view);
  const most = Math.max(3, Math.floor(window.rows / 2));
  const from = Math.max(0, Math.min(mode.choose - Math.floor(most / 2), items.length - most));
  return [
    '',
    ...items.slice(from, from + most).map(({ title }, k) => {
      const isIt = from + k === mode.choose;
      const row = fit(`${isIt ? signs.pointer : ' '} ${from + k + 1}. ${title}`, columns);
      return isIt ? colours.cyan(row) : row;
    }),
  ];
}

function keysOf({ mode, view, interrupts }: LiveState): string {
  if (mode === 'watch') return keysLine(view, interrupts);
  if (mode === 'help') return 'any key goes back';
  if (mode === 'confirm stop') return 'y stop it  any other key goes back';
  return 'answer' in mode ? dialogKeys(mode.answer) : '↑↓ or a number choose  enter answer it  esc back';
}

/** Nothing can be typed here, so that the commands are what helps. */
function commandRows(view: LiveState['view'], { self, columns, colours }: Window): string[] {
  return view.questions
    .slice(0, COMMAND_ROWS)
    .map((question) =>
      colours.dim(fit(`  ${answerCommand({ self }, view.plan_id.slice(0, SHORT_ID), question)}`, columns)),
    );
}
