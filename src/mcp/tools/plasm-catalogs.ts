import { z } from 'zod';
import { catalogMeant } from '../../service/execute/catalog-meant.ts';
import { STEERS } from '../annotations.ts';
import { jsonObject, textOf } from '../arguments.ts';
import { type Call, defineTool } from '../tool.ts';

const CATALOG = `{catalog: 1, name: "pokedex", entities: {Pokemon: {fields: {id: "integer", name: "string"}, list: {http: {url: "https://…"}, items: "body.items", next: "body.next", cursor: "cursor", page_size: 50}, get: {http: {url: "https://…/{id}"}}}}}`;

const catalog = z.object({ prompt_hash: z.string(), name: z.string(), entities: z.array(z.string()) });

export const plasmCatalogs = defineTool({
  name: 'plasm_catalogs',
  title: 'Catalogs of programs',
  description: `Tells which catalogs there are; with prompt_hash (or a name) teaches one: its entities, fields, and how programs over it are written. Read that before the first program. With register it registers a catalog, and teaches it; the same catalog again is the same.
A catalog: ${CATALOG}. Types: string, integer, number, boolean, date, json. items and next are CEL over body; cursor names the query parameter that next is sent as.
Errors: CATALOG_NOT_FOUND; CATALOG_INVALID, with every wrong place in details.errors.`,
  annotations: STEERS,
  input: z.strictObject({
    prompt_hash: z.string().optional().describe('Which one is taught'),
    register: z
      .union([z.string(), jsonObject])
      .optional()
      .describe('A catalog: its text in YAML or JSON, or the same as an object'),
  }),
  output: z.object({
    catalogs: z.array(catalog).optional().describe('All of the organisation'),
    registered: z.boolean().optional().describe('false: it was there already'),
    ...catalog.partial().shape,
    markdown: z.string(),
  }),
  async run({ service: { execute }, caller }, { prompt_hash, register }) {
    if (register !== undefined) {
      const { created, ...registered } = await execute.registerCatalog(caller, textOf(register));
      const told = await taught(execute, caller, registered.prompt_hash);
      return { ...told, body: { registered: created, ...told.body } };
    }
    if (prompt_hash !== undefined)
      return await taught(execute, caller, await catalogMeant(execute, caller, prompt_hash));
    const all = await execute.catalogs(caller);
    const catalogs = all.map(({ prompt_hash, name, entities }) => ({ prompt_hash, name, entities }));
    const lines = catalogs.map(({ prompt_hash, name, entities }) => `- \`${prompt_hash}\` ${name}: ${some(entities)}`);
    const markdown = lines.length > 0 ? lines.join('\n') : '_no catalogs yet; register one_';
    return { body: { catalogs, markdown }, text: markdown };
  },
});

async function taught(execute: Call['service']['execute'], caller: Call['caller'], hash: string) {
  const { teaching, ...about } = await execute.catalog(caller, hash);
  const markdown = `\`prompt_hash\`: ${about.prompt_hash}\n\n${teaching}`;
  return { body: { ...about, markdown }, text: markdown };
}

const MOST_NAMED = 10;
const some = (names: string[]): string =>
  names.length > MOST_NAMED ? `${names.slice(0, MOST_NAMED).join(', ')}, …` : names.join(', ');
