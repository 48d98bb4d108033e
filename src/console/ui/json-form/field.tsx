import { plainText } from '../plain-text.ts';
import type { FormErrors } from './errors.ts';
import { FIELDS } from './fields.ts';
import { hintOf } from './hints.ts';
import { initialValues, type JsonSchema, type JsonValues, lookOf, withValue } from './schema.ts';

interface FieldsProps {
  id: string;
  schema: JsonSchema;
  value: JsonValues;
  onChange: (value: JsonValues, path: string) => void;
  errors: FormErrors;
  /** Where its object is in the values. */
  prefix: string;
}

/** A field for each property of an object. */
export function Fields({ id, prefix, schema, value, onChange, errors }: FieldsProps) {
  return Object.entries(schema.properties ?? {}).map(([name, field]) => (
    <Field
      key={name}
      id={`${id}-${prefix}${name}`}
      path={prefix + name}
      name={name}
      schema={field}
      isRequired={schema.required?.includes(name) === true}
      value={value[name]}
      onChange={(next, path) => onChange(withValue(value, name, next), path)}
      errors={errors}
    />
  ));
}

interface OneField {
  id: string;
  path: string;
  name: string;
  schema: JsonSchema;
  isRequired: boolean;
  value: unknown;
  onChange: (value: unknown, path: string) => void;
  errors: FormErrors;
}

function Field({ id, path, name, schema, isRequired, value, onChange, errors }: OneField) {
  const depth = path === name ? 0 : 1;
  const look = lookOf(schema, depth);
  const label = (
    <>
      {plainText(schema.title ?? name)}
      {!isRequired && <span className="json-optional"> (optional)</span>}
    </>
  );
  const error = errors[path];
  const hint = hintOf(schema, look);
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined;
  const about = (
    <>
      {hint && (
        <p id={`${id}-hint`} className="hint">
          {plainText(hint)}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="field-error">
          {error}
        </p>
      )}
    </>
  );
  if (look === 'group') {
    const inner = typeof value === 'object' && value !== null ? (value as JsonValues) : initialValues(schema);
    return (
      <fieldset className="json-group" aria-describedby={described}>
        <legend>{label}</legend>
        {about}
        <Fields id={id} prefix={`${path}.`} schema={schema} value={inner} onChange={onChange} errors={errors} />
      </fieldset>
    );
  }
  const Input = FIELDS[look];
  const input = (
    <Input
      {...{ id, name, schema, value, isRequired }}
      onChange={(next) => onChange(next, path)}
      aria-describedby={described}
      aria-invalid={error ? true : undefined}
    />
  );
  if (look === 'choices')
    return (
      <fieldset className="json-group" data-plain="">
        <legend>{label}</legend>
        {input}
        {about}
      </fieldset>
    );
  const isBox = look === 'yes_no' && schema.default !== undefined;
  return (
    <div className="field">
      {isBox ? (
        <span className="json-check">
          {input}
          <label htmlFor={id}>{label}</label>
        </span>
      ) : (
        <>
          <label htmlFor={id}>{label}</label>
          {input}
        </>
      )}
      {about}
    </div>
  );
}
