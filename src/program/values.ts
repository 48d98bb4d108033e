import type { Json } from '../plan/json.ts';
import type { ValueAst } from './ast.ts';
import type { FieldType } from './catalog.ts';
import { quote, type Report } from './problems.ts';

/** What a value has to be, in words. */
export const TYPE_WORDS: Record<FieldType, string> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  date: 'a date such as 2026-01-31 or 2026-01-31T09:00:00Z',
  json: 'JSON',
};

/** The value as the field's type has it; what does not fit is told. `name` is the field's. */
export function typedValue(value: ValueAst, type: FieldType, name: string, report: Report): Json | undefined {
  const found = value.kind === 'list' || value.kind === 'ref' ? undefined : READ[type](value);
  if (found !== undefined) return found;
  report.problem(value, misfit(value, type, name));
  return undefined;
}

type Plain = Extract<ValueAst, { kind: 'text' | 'number' | 'word' }>;

const READ: Record<FieldType, (value: Plain) => Json | undefined> = {
  string: ({ kind, text }) => (kind === 'number' ? undefined : text),
  integer: (value) => {
    const n = numberOf(value);
    return Number.isSafeInteger(n) ? n : undefined;
  },
  number: numberOf,
  boolean: ({ kind, text }) => (kind === 'word' && (text === 'true' || text === 'false') ? text === 'true' : undefined),
  date: ({ kind, text }) => (kind !== 'number' && isDate(text) ? text : undefined),
  json: (value) => {
    if (value.kind === 'number') return numberOf(value);
    return value.kind === 'word' && ['true', 'false'].includes(value.text) ? value.text === 'true' : value.text;
  },
};

function numberOf({ kind, text }: Plain): number | undefined {
  const n = Number(text);
  // -0 and 0 are one number, and have to be one commit.
  return kind === 'number' && Number.isFinite(n) ? n + 0 || 0 : undefined;
}

/** The key of a row, quoted or bare, as the type of the key has it. */
export function typedKey(value: ValueAst, type: FieldType, name: string, report: Report): string | number | undefined {
  if ((value.kind === 'text' || value.kind === 'number' || value.kind === 'word') && value.text !== '') {
    // In the path of a URL these two would lead elsewhere.
    const leads = value.text === '.' || value.text === '..';
    if ((type === 'string' || type === 'date') && !leads) return value.text;
    const n = /^-?[0-9]{1,16}$/.test(value.text) ? Number(value.text) : Number.NaN;
    if (Number.isSafeInteger(n) && String(n) === value.text) return n;
    // Ids of 64 bits: as a number it would be another one.
    if (/^-?[1-9][0-9]{15,19}$/.test(value.text)) return value.text;
  }
  const plain = value.kind === 'text' || value.kind === 'number' || value.kind === 'word';
  const shown = plain ? (value.kind === 'text' ? quote(value.text) : value.text) : '';
  if (!plain) report.problem(value, misfit(value, type, name));
  else if (type === 'string' || type === 'date') report.problem(value, `${name} cannot be ${shown}`);
  else report.problem(value, `${name} is ${TYPE_WORDS[type]}; ${shown} is not`);
  return undefined;
}

const DATE =
  /^(\d{4})-(\d{2})-(\d{2})(?:T([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?)?$/;

function isDate(text: string): boolean {
  const [, year, month, day] = DATE.exec(text) ?? [];
  if (year === undefined) return false;
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.getUTCDate() === Number(day);
}

function misfit(value: ValueAst, type: FieldType, name: string): string {
  const is = `${name} is ${TYPE_WORDS[type]}`;
  if (value.kind === 'ref')
    return value.base === '_'
      ? '_ is the row of a => step, and there is none here'
      : `${value.base}.${value.path.map(({ text }) => text).join('.')} would read another step, which is not supported yet; write the value itself`;
  if (value.kind === 'list') return `${is}; a list stands for one of several values, behind = or != alone`;
  if (type === 'string') return `${is}; write "${value.text}", in quotes`;
  if (
    value.kind === 'text' &&
    READ[type]({ ...value, kind: isNumberText(value.text) ? 'number' : 'word' }) !== undefined
  )
    return `${is}; write ${value.text}, without quotes`;
  return `${is}; ${value.kind === 'text' ? quote(value.text) : value.text} is not`;
}

const isNumberText = (text: string): boolean => /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text);
