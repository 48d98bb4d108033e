import { plainText } from '../plain-text.ts';
import { type FieldProps, shared } from './field-props.ts';

export function ChoiceField(props: FieldProps) {
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
          {plainText(String(option))}
        </option>
      ))}
    </select>
  );
}

/** One that has a default is on or off; one without is neither before somebody says which. */
export function YesNoField(props: FieldProps) {
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

export function ChoicesField(props: FieldProps) {
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
          {plainText(String(option))}
        </label>
      ))}
    </div>
  );
}
