import type { Entity, Field } from './catalog.ts';
import type { FieldType } from './field-types.ts';

/** Programs that hold for an entity, whatever its fields are; each is tried by a test. */
export const example = {
  list(name: string, { fields }: Entity, taken: readonly string[]): string[] {
    const all = Object.entries(fields);
    const chosen = all
      .slice(0, 2)
      .map(([field]) => field)
      .join(', ');
    const number = ofTypes(all, ['integer', 'number', 'date']);
    const compared = ofTypes(all, ['string', 'integer', 'number', 'date', 'boolean']);
    const ordered = ofTypes(all, ['number', 'integer', 'date', 'string', 'boolean']);
    const where = number ?? compared;
    const filter = where ? `.filter{${where[0]} ${number ? '>=' : '='} ${VALUES[where[1].type]}}` : '';
    const few = free('few', taken);
    return [
      ';; ten rows that fit, two fields of each',
      `${name}${filter}.limit(10)[${chosen}]`,
      ';; a page of fifty; the answer names the handle of the next',
      `${name}${filter}.page_size(50)`,
      ...(ordered ? [';; the largest first', `${name}.limit(100).sort(${ordered[0]}, desc)`] : []),
      ...(compared ? [';; how many of each', `${name}.limit(1000).group_by(${compared[0]}, n=count)`] : []),
      ';; a step with a name, used twice',
      `${few} = ${name}${filter}.limit(20)`,
      `return ${few}[${all[0]![0]}], ${few}.aggregate(n=count)`,
    ];
  },
  get(name: string, { fields, key }: Entity): string[] {
    const type = fields[key!]!.type;
    return [';; one row by its key', `${name}(${type === 'integer' || type === 'number' ? '7' : '"some-key"'})`];
  },
};

const VALUES: Record<FieldType, string> = {
  string: '"text"',
  integer: '300',
  number: '1.5',
  date: '2026-01-31',
  boolean: 'true',
  json: 'null',
};

const ofTypes = (fields: [string, Field][], types: FieldType[]): [string, Field] | undefined => {
  const found = types.flatMap((type) => fields.filter(([, field]) => field.type === type));
  // A key tells rows apart; comparing and grouping by it teaches little.
  return found.find(([name]) => name !== 'id') ?? found[0];
};

const free = (name: string, taken: readonly string[]): string =>
  taken.includes(name) ? free(`${name}_rows`, taken) : name;
