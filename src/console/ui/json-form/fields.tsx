import { useState } from 'react';
import { type FieldLook, type JsonSchema, Unreadable } from './schema.ts';

/** What every field is given: `id`, and what describes it, belong on its input. */
export interface FieldProps {
  id: string;
  name: string;
  schema: JsonSchema;
  value: unknown;
  onChange: (value: unknown) => void;
  isRequired: boolean;
  'aria-describedby'?: string | undefined;
  'aria-invalid'?: true | undefined;
}

/** The attributes that all inputs share. */
const shared = ({ id, isRequired, ...rest }: FieldProps) => ({
  id,
  'aria-required': isRequired || undefined,
  'aria-describedby': rest['aria-describedby'],
  'aria-invalid': rest['aria-invalid'],
});

/** Nothing written is nothing given, unless that would bring the default back. */
const textGiven = (text: string, { default: usual }: JsonSchema): string | undefined =>
  text === '' && usual === undefined ? undefined : text;

function TextField(props: FieldProps) {
  const { schema, value, onChange } = props;
  const given = typeof value === 'string' ? value : '';
  return (
    <input {...shared(props)} type="text" value={given} onChange={(e) => onChange(textGiven(e.target.value, schema))} />
  );
}

function LongTextField(props: FieldProps) {
  const { schema, value, onChange } = props;
  const given = typeof value === 'string' ? value : '';
  return <textarea {...shared(props)} value={given} onChange={(e) => onChange(textGiven(e.target.value, schema))} />;
}

function DateField(props: FieldProps) {
  const { value, onChange } = props;
  const given = typeof value === 'string' ? value : '';
  return <input {...shared(props)} type="date" value={given} onChange={(e) => onChange(e.target.value || undefined)} />;
}

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

function NumberField(props: FieldProps) {
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

function LinesField(props: FieldProps) {
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

function JsonField(props: FieldProps) {
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

function ChoiceField(props: FieldProps) {
  const { schema, value, onChange } = props;
  const options = schema.enum ?? [];
  const at = options.indexOf(value);
  return (
    <select
      {...shared(props)}
      value={at}
      onChange={(e) => onChange(e.target.value === '-1' ? undefined : options[Number(e.target.value)])}
    >
      {(at === -1 || !props.isRequired) && <option value={-1}>–</option>}
      {options.map((option, i) => (
        <option key={String(option)} value={i}>
          {String(option)}
        </option>
      ))}
    </select>
  );
}

/** One that has a default is on or off; one without is neither before somebody says which. */
function YesNoField(props: FieldProps) {
  const { schema, value, onChange } = props;
  if (schema.default !== undefined)
    return (
      <input {...shared(props)} type="checkbox" checked={value === true} onChange={(e) => onChange(e.target.checked)} />
    );
  return (
    <select
      {...shared(props)}
      value={typeof value === 'boolean' ? String(value) : ''}
      onChange={(e) => onChange(e.target.value === '' ? undefined : e.target.value === 'true')}
    >
      <option value="">–</option>
      <option value="true">Yes</option>
      <option value="false">No</option>
    </select>
  );
}

function ChoicesField(props: FieldProps) {
  const { schema, value, onChange, id } = props;
  const options = schema.items?.enum ?? [];
  const chosen = Array.isArray(value) ? value : [];
  const toggle = (option: unknown, is: boolean) => {
    const next = options.filter((each) => (each === option ? is : chosen.includes(each)));
    onChange(next.length === 0 && schema.default === undefined ? undefined : next);
  };
  return (
    <div className="json-choices">
      {options.map((option, i) => (
        <label key={String(option)} className="json-check">
          <input
            id={i === 0 ? id : undefined}
            type="checkbox"
            aria-describedby={props['aria-describedby']}
            aria-invalid={props['aria-invalid']}
            checked={chosen.includes(option)}
            onChange={(e) => toggle(option, e.target.checked)}
          />
          {String(option)}
        </label>
      ))}
    </div>
  );
}

export const FIELDS: Record<Exclude<FieldLook, 'group'>, React.ComponentType<FieldProps>> = {
  text: TextField,
  long_text: LongTextField,
  date: DateField,
  number: NumberField,
  lines: LinesField,
  json: JsonField,
  choice: ChoiceField,
  yes_no: YesNoField,
  choices: ChoicesField,
};
