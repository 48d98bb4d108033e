import { useState } from 'react';
import { type FieldProps, shared } from './field-props.ts';
import { Unreadable } from './schema.ts';

/** What somebody writes as it is, while `read` makes a value of it. */
function useDraft(value: unknown, read: (text: string) => unknown, write: (value: unknown) => string) {
  const [text, setText] = useState(() => write(value));
  const isOwn = JSON.stringify(read(text)) === JSON.stringify(value);
  return [isOwn ? text : write(value), setText] as const;
}

const readNumber = (text: string): unknown => {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  // What is no number is handed on as it is, and told to be none.
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed) ? Number(trimmed) : text;
};

export function NumberField(props: FieldProps) {
  const { schema, value, onChange } = props;
  const [text, setText] = useDraft(value, readNumber, (given) => (given === undefined ? '' : String(given)));
  return (
    <input
      {...shared(props)}
      type="text"
      inputMode={schema.type === 'integer' && (schema.minimum ?? -1) >= 0 ? 'numeric' : 'text'}
      autoComplete="off"
      value={text}
      onChange={(e) => {
        setText(e.target.value);
        onChange(readNumber(e.target.value));
      }}
    />
  );
}

const readLines = (text: string): unknown => {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.length === 0 ? undefined : lines;
};

export function LinesField(props: FieldProps) {
  const { value, onChange } = props;
  const [text, setText] = useDraft(value, readLines, (given) => (Array.isArray(given) ? given.join('\n') : ''));
  return (
    <textarea
      {...shared(props)}
      value={text}
      onChange={(e) => {
        setText(e.target.value);
        onChange(readLines(e.target.value));
      }}
    />
  );
}

export const readJson = (text: string): unknown => {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    return new Unreadable(text, `This is no JSON: ${(error as Error).message}`);
  }
};
const writeJson = (value: unknown): string =>
  value instanceof Unreadable ? value.text : value === undefined ? '' : JSON.stringify(value, null, 2);

export function JsonField(props: FieldProps) {
  const { value, onChange } = props;
  const [text, setText] = useDraft(value, readJson, writeJson);
  return (
    <textarea
      {...shared(props)}
      className="mono"
      spellCheck={false}
      value={text}
      onChange={(e) => {
        setText(e.target.value);
        onChange(readJson(e.target.value));
      }}
    />
  );
}
