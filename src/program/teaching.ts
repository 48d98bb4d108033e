import type { Catalog, Entity, Field } from './catalog.ts';
import { example } from './teaching-examples.ts';

/** What an agent has to know to write programs over a catalog, as Markdown: short, for it is read before every task. */
export function teachingOf(catalog: Catalog, promptHash: string): string {
  const { name, description, entities } = catalog;
  const all = Object.entries(entities);
  return [
    `# ${oneLine(name)}`,
    ...(description ? ['', oneLine(description)] : []),
    '',
    `prompt_hash: ${promptHash}`,
    '',
    '## Entities',
    ...all.flatMap(([entity, words]) => ['', ...entityLines(entity, words)]),
    '',
    '## Programs',
    '',
    ...LANGUAGE,
    '',
    '```text',
    ...programsFor(all),
    '```',
    '',
    ...RUNNING,
    '',
  ].join('\n');
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

function entityLines(name: string, entity: Entity): string[] {
  const { description, fields, key, list, relations = {} } = entity;
  const calls = (['list', 'get', 'create', 'update', 'delete'] as const).filter((call) => entity[call]);
  const facts = [
    calls.length > 0 ? `can be asked: ${calls.join(', ')}` : 'cannot be asked',
    ...(key === undefined ? [] : [`key: ${key}`]),
    ...(list?.page_size === undefined ? [] : [`${list.page_size} rows a page`]),
    ...(list?.filters ? [`told apart by the source: ${Object.keys(list.filters).join(', ')}`] : []),
    ...Object.entries(relations).map(([relation, { to }]) => `.${relation} → ${to} (not run yet)`),
  ];
  return [
    `### ${name}`,
    '',
    ...(description ? [oneLine(description), ''] : []),
    facts.join(' · '),
    '',
    '```tsv',
    'field\ttype\tabout',
    ...Object.entries(fields).map(fieldLine),
    '```',
  ];
}

const fieldLine = ([name, { type, description }]: [string, Field]): string =>
  [name, type, ...(description ? [oneLine(description)] : [])].join('\t');

const LANGUAGE = [
  'One step a line, `name = …`; the last line, or `return a, b`, is the result. `;;` begins a comment. Steps are done from left to right.',
  'Braces hold comparisons (`=`, `!=`, `>`, `<`, `>=`, `<=`, and `~` for text that contains some), joined by commas; `field = [a, b]` is one of several values.',
  'Brackets choose fields. Texts and dates stand in quotes or bare, numbers bare.',
];

/** Programs over the catalog's own entities. */
const programsFor = (entities: [string, Entity][]): string[] => {
  const listed = entities.find(([, { list }]) => list);
  const one = entities.find(([, { get }]) => get);
  const names = entities.map(([name]) => name);
  return [...(listed ? example.list(...listed, names) : []), ...(one ? example.get(...one) : [])];
};

const RUNNING = [
  '## Running',
  '',
  '- A dry run reads nothing, and gives `plan_commit_ref` (`pc0`, …), good for ten minutes and this program alone.',
  '- A program whose verdict is `review` runs with its `plan_commit_ref`, or with `force`. To have `ok`: `.limit(n)` or `.page_size(n)` on every list, and no `group_by` or `aggregate`.',
  '- What reads without bound runs in the background, and so does everything with `wait=false`: the answer names a handle.',
  '- `wait(s0_o1)` tells how it stands, and its rows in the end; `cancel(s0_o1)` ends it, and what was read is kept; `page(s0_pg1)` gives the next rows. Each is a whole program.',
  '- Relations, `create`, `update`, `delete`, searches and calls for every row are understood, and not run yet.',
];
