import { type Ref, useImperativeHandle } from 'react';
import { JsonForm } from '../../ui/json-form/json-form.tsx';
import type { JsonSchema, JsonValues } from '../../ui/json-form/schema.ts';
import { useJsonForm } from '../../ui/json-form/use-json-form.ts';

export interface AnswerFields {
  /** The values when they may be sent; otherwise what is wrong is shown. */
  submit: () => JsonValues | undefined;
}

/** The fields of a question that has a form. */
export default function AnswerForm({ schema, ref }: { schema: JsonSchema; ref: Ref<AnswerFields> }) {
  const form = useJsonForm(schema);
  useImperativeHandle(ref, () => ({ submit: form.submit }));
  return (
    <div ref={form.ref}>
      <JsonForm schema={schema} value={form.value} onChange={form.onChange} errors={form.errors} />
    </div>
  );
}
