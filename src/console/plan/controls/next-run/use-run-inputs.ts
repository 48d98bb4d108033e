import { useMemo, useState } from 'react';
import { useDeclaredInputs } from '../../../new-plan/use-inputs.ts';
import { type FormErrors, formErrors } from '../../../ui/json-form/errors.ts';
import { initialValues, type JsonSchema, type JsonValues } from '../../../ui/json-form/schema.ts';
import type { Given } from './given.ts';

export interface RunInputs {
  /** Of what the file, as it is now, declares; undefined where that is nothing. */
  schema: JsonSchema | undefined;
  values: JsonValues;
  errors: FormErrors;
  /** The values that are others than before; undefined when none is. */
  changed: JsonValues | undefined;
  onChange: (values: JsonValues) => void;
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Inputs of a next run: what was given before stays, unless something else is written. */
export function useRunInputs(text: string, { inputs, given }: Given): RunInputs {
  const schema = useDeclaredInputs(text);
  const [draft, setDraft] = useState<JsonValues>({});
  return useMemo(() => {
    const names = Object.keys(schema?.properties ?? {});
    const kept = Object.fromEntries(names.filter((name) => given.includes(name)).map((name) => [name, inputs[name]]));
    const before = { ...(schema && initialValues(schema)), ...kept };
    const written = names.filter((name) => Object.hasOwn(draft, name));
    const all = { ...before, ...Object.fromEntries(written.map((name) => [name, draft[name]])) };
    const values = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
    const errors = schema ? formErrors(schema, values) : {};
    for (const name of written)
      if (draft[name] === undefined && Object.hasOwn(kept, name))
        errors[name] = 'It was given before, which stays: write another value.';
    const changed = written.filter((name) => draft[name] !== undefined && !isSame(draft[name], before[name]));
    return {
      schema,
      values,
      errors,
      changed: changed.length === 0 ? undefined : Object.fromEntries(changed.map((name) => [name, draft[name]])),
      onChange: (next) => {
        const touched = names.filter((name) => Object.hasOwn(draft, name) || !isSame(next[name], before[name]));
        setDraft({ ...draft, ...Object.fromEntries(touched.map((name) => [name, next[name]])) });
      },
    };
  }, [schema, draft, inputs, given]);
}
