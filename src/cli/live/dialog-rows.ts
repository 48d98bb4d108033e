import type { Json } from '../../plan/json.ts';
import { oneLine } from '../render/text.ts';
import { type Dialog, fieldOf } from './dialog.ts';
import type { Field } from './fields.ts';
import { columnsOf, fit, wrapped } from './fit.ts';
import { characters, emptyLine, type Line } from './line-edit.ts';
import type { Look } from './task-row.ts';

const TITLE_ROWS = 4;
const OPTION_ROWS = 9;

/** The question, what was given so far, and the field that is asked now. */
export function dialogRows(dialog: Dialog, look: Look & { rows: number }): string[] {
  const { columns, colours, signs } = look;
  const { item, problem, sending } = dialog;
  const title = item.lines
    ? atMost(
        item.lines.flatMap((line) => wrapped(line, columns - 2, TITLE_ROWS)),
        Math.max(TITLE_ROWS, Math.floor(look.rows / 2)),
      )
    : wrapped(item.title, columns - 2, TITLE_ROWS);
  const rows = [
    ...title.map((row, i) => `${i === 0 ? colours.magenta(signs.asks) : ' '} ${colours.bold(row)}`),
    ...answered(dialog).map((row) => colours.dim(`  ${row}`)),
    ...(sending ? [colours.dim('  sending …')] : fieldRows(dialog, look)),
    ...(problem ? wrapped(oneLine(problem, 1_000), columns - 4, 3).map((row) => colours.red(`  ${row}`)) : []),
  ];
  return rows.map((row) => fit(row, columns));
}

const atMost = (rows: string[], most: number): string[] =>
  rows.length > most ? [...rows.slice(0, most - 1), `… ${rows.length - most + 1} more lines`] : rows;

/** What the keys do here. */
export const dialogKeys = (dialog: Dialog): string => {
  const { options } = fieldOf(dialog);
  const choose = options ? `↑↓ or 1–${Math.min(9, options.length)} choose  ` : '';
  return `${choose}enter ${dialog.field === 0 && options ? 'take it' : 'go on'}  ${dialog.field > 0 ? 'tab back  ' : ''}esc leave it open`;
};

const answered = ({ item, field, given }: Dialog): string[] =>
  item.fields
    .slice(0, field)
    .filter(({ name }) => given[name] !== undefined)
    .map(({ name, label }) => `${label}: ${oneLine(words(given[name]!))}`);

const words = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

function fieldRows(dialog: Dialog, look: Look): string[] {
  const field = fieldOf(dialog);
  return field.options ? optionRows(field, dialog.chosen[field.name] ?? 0, look) : textRows(dialog, field, look);
}

function optionRows({ label, options = [], name }: Field, at: number, { colours, signs }: Look): string[] {
  const from = Math.max(0, Math.min(at - Math.floor(OPTION_ROWS / 2), options.length - OPTION_ROWS));
  const rows = options.slice(from, from + OPTION_ROWS).map((option, k) => {
    const i = from + k;
    const text = `${i === at ? signs.pointer : ' '} ${i + 1}. ${option.label}`;
    return `  ${i === at ? colours.cyan(text) : text}`;
  });
  return name === 'the choice' ? rows : [`  ${label}`, ...rows];
}

function textRows({ lines }: Dialog, { name, label, otherwise }: Field, { columns, colours, signs }: Look): string[] {
  const hint = otherwise === undefined ? '' : ` ${colours.dim(`(enter: ${otherwise})`)}`;
  return [
    `  ${label}${hint}`,
    `  ${colours.cyan(signs.pointer)} ${typed(lines[name] ?? emptyLine, columns - 5, colours)}`,
  ];
}

/** The line with its cursor, its end cut so that the cursor stays in view. */
function typed({ text, at }: Line, columns: number, { inverse }: Look['colours']): string {
  const all = characters(text);
  let from = 0;
  while (columnsOf(all.slice(from, at).join('')) > columns - 1) from += 1;
  const under = all[at] ?? ' ';
  return `${all.slice(from, at).join('')}${inverse(under)}${all.slice(at + 1).join('')}`;
}
