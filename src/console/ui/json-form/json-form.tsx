import { useId } from 'react';
import type { FormErrors } from './errors.ts';
import { Fields } from './field.tsx';
import type { JsonSchema, JsonValues } from './schema.ts';
import './json-form.css';

interface JsonFormProps {
  /** Of an object: a field for each of its properties. */
  schema: JsonSchema;
  value: JsonValues;
  /** `path` is that of the field that was changed. */
  onChange: (value: JsonValues, path: string) => void;
  errors?: FormErrors;
}

/** Fields for what a JSON Schema asks; `useJsonForm` keeps what is written in them. */
export function JsonForm({ schema, value, onChange, errors = {} }: JsonFormProps) {
  const id = useId();
  return (
    <div className="json-form">
      {errors[''] !== undefined && (
        <p className="field-error" role="alert">
          {errors['']}
        </p>
      )}
      <Fields id={id} prefix="" schema={schema} value={value} onChange={onChange} errors={errors} />
    </div>
  );
}
