// Writes the types of the API's answers for the console, from the API's own description.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compile } from 'json-schema-to-typescript';

/** Only sent, and by their text. */
const SENT = ['PlanFile', 'PlanRequest', '__schema0'];

/** The types, as text, of an OpenAPI document. */
export async function typesOf({ components }) {
  const kept = Object.entries(components.schemas).filter(([name]) => !SENT.includes(name));
  const definitions = JSON.parse(
    JSON.stringify(Object.fromEntries(kept)).replaceAll('#/components/schemas/', '#/definitions/'),
  );
  const names = Object.keys(definitions);
  const properties = Object.fromEntries(names.map((name) => [name, { $ref: `#/definitions/${name}` }]));
  return await compile({ type: 'object', properties, required: names, definitions }, 'Schemas', {
    bannerComment: '// Made from docs/openapi.json by `npm run schema`: change the API, not this file.',
    additionalProperties: false,
    style: { singleQuote: true, printWidth: 120 },
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [from, to] = ['../docs/openapi.json', '../src/console/api/types.ts'].map(
    (path) => new URL(path, import.meta.url),
  );
  writeFileSync(to, await typesOf(JSON.parse(readFileSync(from, 'utf8'))));
}
