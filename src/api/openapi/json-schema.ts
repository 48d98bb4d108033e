import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;

/**
 * Turns zod schemas into the JSON Schemas of one document: those with an `id` in their metadata become components, and
 * are referred to.
 */
export function jsonSchemas() {
  const components: Record<string, JsonSchema> = {};
  const convert = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema => {
    // As a property, so that a schema with an id becomes a component also where it stands alone.
    const made = z.toJSONSchema(z.object({ it: schema }), { io, unrepresentable: 'any', override: OVERRIDE[io] });
    const { properties, $defs = {} } = JSON.parse(
      JSON.stringify(made).replaceAll('"#/$defs/', '"#/components/schemas/'),
    ) as { properties: { it: JsonSchema }; $defs?: Record<string, JsonSchema> };
    for (const [id, { id: _, ...definition }] of Object.entries($defs)) components[id] = definition;
    return properties.it;
  };
  return {
    components,
    /** Of what is sent: unknown words are refused. */
    input: (schema: z.ZodType) => convert(schema, 'input'),
    /** Of what is answered: a later release may say more. */
    output: (schema: z.ZodType) => convert(schema, 'output'),
  };
}

export type Schemas = ReturnType<typeof jsonSchemas>;

type Override = NonNullable<Parameters<typeof z.toJSONSchema>[1]>['override'];

const OVERRIDE: Record<'input' | 'output', Override> = {
  input: undefined,
  output: ({ jsonSchema }) => {
    if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  },
};
