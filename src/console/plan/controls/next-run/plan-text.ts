import { queryOptions } from '@tanstack/react-query';
import { answer, call, planPath } from '../../../api/client.ts';
import type { JsonSchema, JsonValues } from '../../../ui/json-form/schema.ts';

interface Declaration extends JsonSchema {
  required?: never;
}
interface Inputs {
  /** By name, what the plan file says about each. */
  inputs: Record<string, Declaration & { required?: boolean }>;
  /** What the latest run was given. */
  given: JsonValues;
}

/** The plan file of the latest run. */
export const fileQuery = (planId: string, run: number) =>
  queryOptions({
    queryKey: ['next-run-file', planId, run],
    queryFn: async ({ signal }) => {
      const response = await answer('GET', planPath(planId, '/file'), { accept: 'text/yaml', signal });
      return await response.text();
    },
    staleTime: Infinity,
  });

export const inputsQuery = (planId: string, run: number) =>
  queryOptions({
    queryKey: ['next-run-inputs', planId, run],
    queryFn: ({ signal }) => call<Inputs>('GET', planPath(planId, '/inputs'), { signal }),
    staleTime: Infinity,
  });

/** A form's schema for a plan's inputs. */
export function schemaOfInputs(inputs: Inputs['inputs']): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const [name, { required: isRequired, ...declaration }] of Object.entries(inputs)) {
    properties[name] = { type: 'string', ...declaration };
    if (isRequired ?? declaration.default === undefined) required.push(name);
  }
  return { type: 'object', properties, required };
}
