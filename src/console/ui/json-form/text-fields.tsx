import { type FieldProps, shared } from './field-props.ts';
import type { JsonSchema } from './schema.ts';

/** Nothing written is nothing given, unless that would bring the default back. */
const textGiven = (text: string, { default: usual }: JsonSchema): string | undefined =>
  text === '' && usual === undefined ? undefined : text;

export function TextField(props: FieldProps) {
  const { schema, value, onChange } = props;
  const given = typeof value === 'string' ? value : '';
  return (
    <input {...shared(props)} type="text" value={given} onChange={(e) => onChange(textGiven(e.target.value, schema))} />
  );
}

export function LongTextField(props: FieldProps) {
  const { schema, value, onChange } = props;
  const given = typeof value === 'string' ? value : '';
  return <textarea {...shared(props)} value={given} onChange={(e) => onChange(textGiven(e.target.value, schema))} />;
}

export function DateField(props: FieldProps) {
  const { value, onChange } = props;
  const given = typeof value === 'string' ? value : '';
  return <input {...shared(props)} type="date" value={given} onChange={(e) => onChange(e.target.value || undefined)} />;
}
