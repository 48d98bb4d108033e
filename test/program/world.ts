import { expect } from 'vitest';
import { Fault } from '../../src/faults.ts';
import { readCatalog } from '../../src/program/catalog.ts';
import { commitId } from '../../src/program/commit.ts';
import { type Compiled, compile } from '../../src/program/compile.ts';
import { parseProgram } from '../../src/program/parse.ts';
import { reviewOf } from '../../src/program/review.ts';

export const WORLD = `catalog: 1
name: world
secrets: [TOKEN]
entities:
  City:
    description: A place where people live
    fields: { id: string, name: string, pop: integer, area: number, capital: boolean, founded: date, country: string, tags: json }
    list:
      http: { url: "https://example.org/cities", query: { v: 2 }, headers: { authorization: "Bearer \${{ secrets.TOKEN }}" } }
      items: body.items
      next: body.next
      cursor: cursor
      page_size: 50
      filters: { country: in_country, capital: is_capital }
    get: { http: "https://example.org/cities/{id}", item: body.city }
    create: { http: { url: "https://example.org/cities", method: POST } }
    update: { http: { url: "https://example.org/cities/{id}", method: PATCH } }
    delete: { http: { url: "https://example.org/cities/{id}", method: DELETE } }
    relations: { districts: { to: District } }
  District:
    fields: { id: integer, name: string, size: integer, city: string }
    list: { http: "https://example.org/districts", items: body }
    get: { http: { url: "https://example.org/district", query: { id: "{id}" } } }
    relations: { town: { to: City } }
  Mayor:
    fields: { id: integer, name: string }
    get: { http: "https://example.org/mayors/{id}" }
  Law:
    fields: { title: string, year: integer }
    list: { http: "https://example.org/laws", items: body.laws, next: body.next, cursor: page }
`;

export const world = readCatalog(WORLD);
export const HASH = 'f'.repeat(32);

export function compiled(text: string): Compiled {
  const parsed = parseProgram(text);
  if (parsed.kind !== 'program') throw new Error(`${text} is a ${parsed.kind}`);
  return compile(parsed.ast, world, HASH);
}

export const dagOf = (text: string) => compiled(text).dag;
export const commitOf = (text: string): string => commitId(dagOf(text));
export const reviewed = (text: string) => {
  const { dag, unused } = compiled(text);
  return reviewOf(dag, { unused });
};

/** What is wrong, each as `line:column message`. */
export function problemsOf(work: () => unknown, code: string): string[] {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(Fault);
    const { errors = [], code: found, message } = error as Fault;
    expect(found).toBe(code);
    expect(errors.length).toBeGreaterThan(0);
    expect(message).toContain(errors[0]!.message);
    return errors.map(({ line, column, message }) => `${line}:${column} ${message}`);
  }
  return [];
}

export const wrongIn = (text: string): string[] => problemsOf(() => compiled(text), 'PROGRAM_INVALID');
