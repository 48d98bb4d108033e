import { useEffect, useMemo, useState } from 'react';
import { formErrors } from '../ui/json-form/errors.ts';
import { initialValues, type JsonSchema, Unreadable } from '../ui/json-form/schema.ts';
import { declaredInputs } from './declared-inputs.ts';

const PAUSE_MS = 250;

/** The form of what a file declares. One that cannot be read just now keeps the form that it had. */
export function useDeclaredInputs(text: string): JsonSchema | undefined {
  const [schema, setSchema] = useState<JsonSchema>();
  useEffect(() => {
    let isOver = false;
    const timer = setTimeout(async () => {
      const read = await declaredInputs(text).catch(() => 'unreadable' as const);
      if (isOver || read === 'unreadable') return;
      // The same form again is the same object: what is written in it is drawn no second time.
      setSchema((old) => (JSON.stringify(old) === JSON.stringify(read) ? old : read));
    }, PAUSE_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [text]);
  return schema;
}

/** What is given for those that the file declares now: what was given for one that it no longer has is kept, and not sent. */
export function useGiven(schema: JsonSchema | undefined, inputs: Record<string, unknown>) {
  return useMemo(() => {
    const names = Object.keys(schema?.properties ?? {});
    const given = Object.fromEntries(
      names.flatMap((name) => {
        const value = inputs[name];
        return value === undefined || value === null || isUnreadable(value) ? [] : [[name, value]];
      }),
    );
    const shown = schema ? { ...initialValues(schema), ...pick(inputs, names) } : {};
    const values = Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== null));
    return { given, values, errors: schema ? formErrors(schema, values) : {} };
  }, [schema, inputs]);
}

/** Deep in an object, too. */
const isUnreadable = (value: unknown): boolean =>
  value instanceof Unreadable ||
  (typeof value === 'object' && value !== null && Object.values(value).some((inner) => inner instanceof Unreadable));

const pick = (from: Record<string, unknown>, names: string[]) =>
  Object.fromEntries(names.filter((name) => Object.hasOwn(from, name)).map((name) => [name, from[name]]));
