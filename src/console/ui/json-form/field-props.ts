import type { JsonSchema } from './schema.ts';

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
export const shared = ({ id, isRequired, ...rest }: FieldProps) => ({
  id,
  'aria-required': isRequired || undefined,
  'aria-describedby': rest['aria-describedby'],
  'aria-invalid': rest['aria-invalid'],
});
