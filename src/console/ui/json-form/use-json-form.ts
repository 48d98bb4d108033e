import { type RefObject, useMemo, useRef, useState } from 'react';
import { type FormErrors, formErrors } from './errors.ts';
import { initialValues, type JsonSchema, type JsonValues } from './schema.ts';

export interface JsonFormState {
  value: JsonValues;
  onChange: (value: JsonValues, path: string) => void;
  /** What is shown as wrong: in fields that were changed, and in all once it was tried to send them. */
  errors: FormErrors;
  isValid: boolean;
  /** Around the form: the first field that is wrong gets the focus. */
  ref: RefObject<HTMLDivElement | null>;
  /** The values when they may be sent; otherwise what is wrong is shown. */
  submit: () => JsonValues | undefined;
}

/** A form's draft, which outlives that the page is drawn anew by what comes from the server. */
export function useJsonForm(schema: JsonSchema, known?: JsonValues): JsonFormState {
  const [value, setValue] = useState(() => initialValues(schema, known));
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [isTried, setTried] = useState(false);
  const ref = useRef<HTMLDivElement>(null);
  const all = useMemo(() => formErrors(schema, value), [schema, value]);
  const isValid = Object.keys(all).length === 0;
  const shown = Object.entries(all).filter(([path]) => isTried || touched.has(path));
  return {
    value,
    errors: Object.fromEntries(shown),
    isValid,
    ref,
    onChange: (next, path) => {
      setValue(next);
      setTouched((old) => (old.has(path) ? old : new Set(old).add(path)));
    },
    submit: () => {
      if (isValid) return value;
      setTried(true);
      // Marked as wrong once it is drawn.
      setTimeout(() => ref.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(), 0);
      return undefined;
    },
  };
}
