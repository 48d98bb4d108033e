import type { ComponentType } from 'react';
import { ChoiceField, ChoicesField, YesNoField } from './choice-fields.tsx';
import { JsonField, LinesField, NumberField } from './draft-fields.tsx';
import type { FieldProps } from './field-props.ts';
import type { FieldLook } from './schema.ts';
import { DateField, LongTextField, TextField } from './text-fields.tsx';

/** What each look of a field is drawn by. */
export const FIELDS: Record<Exclude<FieldLook, 'group'>, ComponentType<FieldProps>> = {
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
