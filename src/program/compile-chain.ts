import { applyOp } from './apply-op.ts';
import type { ChainAst, HeadAst, Place, Word } from './ast.ts';
import type { Catalog, Entity } from './catalog.ts';
import type { RefusedNode } from './dag.ts';
import { effectOn } from './effects.ts';
import type { Draft, Flow } from './flow.ts';
import { quote, type Report } from './problems.ts';
import type { Shape } from './shape.ts';
import { getSource, listSource } from './sources.ts';
import { typedKey, typedValue } from './values.ts';

/** What compiling one chain stands on. */
export interface Around {
  catalog: Catalog;
  promptHash: string;
  /** Steps that stand before it; undefined for those with something wrong, which was told. */
  steps: ReadonlyMap<string, Flow | undefined>;
  /** Names of steps that come behind it. */
  later: ReadonlySet<string>;
  report: Report;
}

/** Rows of a chain; undefined when something wrong with it was told. `apart`: nothing returned reads them, so they change nothing. */
export function compileChain({ head, ops }: ChainAst, apart: boolean, around: Around): Flow | undefined {
  const [first, ...more] = ops;
  // A call that changes a row by its key need not read it.
  const calls = first?.does === 'effect' && entityOf(head.name, around) !== undefined;
  const begun = calls ? effectOn(head, first, around) : flowOf(head, apart, around);
  return (calls ? more : ops).reduce<Flow | undefined>((flow, op) => flow && applyOp(flow, op, around), begun);
}

/** The entity that a name stands for, if it is none of a step. */
export const entityOf = ({ text }: Word, { catalog, steps }: Around): Entity | undefined =>
  !steps.has(text) && Object.hasOwn(catalog.entities, text) ? catalog.entities[text] : undefined;

export const shapeOf = (name: string, { fields }: Entity): Shape => ({
  fields: new Map(Object.entries(fields).map(([field, { type }]) => [field, type])),
  rows: `rows of ${name}`,
});

function flowOf(head: HeadAst, apart: boolean, around: Around): Flow | undefined {
  const { name } = head;
  const { steps, report } = around;
  if (steps.has(name.text)) {
    const flow = steps.get(name.text);
    if (head.kind === 'name') return flow && { ...flow, shared: flow.shared || apart };
    report.problem(name, `${name.text} is a step; only of an entity one row can be asked for, or some be searched`);
    return undefined;
  }
  const entity = entityOf(name, around);
  if (!entity) return void unknownName(name, around);
  return readOf(head, entity, around);
}

export function unknownName({ text, ...place }: Word, { catalog, steps, later, report }: Around): void {
  const known = [...Object.keys(catalog.entities), ...steps.keys()];
  const message = later.has(text)
    ? `${text} is named by a later line, or by this one; a step stands before those that use it`
    : text === '_'
      ? '_ is the row of a => step, and there is none here'
      : `there is neither an entity nor a step ${quote(text)}${report.meant(text, known)}`;
  report.problem(place, message);
}

function readOf(head: HeadAst, entity: Entity, around: Around): Flow | undefined {
  const { promptHash, report } = around;
  const name = head.name.text;
  const flow = (node: Draft['node'], at?: Place): Flow => ({
    draft: { node, from: [], label: name, ...(at && { at }) },
    shape: shapeOf(name, entity),
    entity: name,
    shared: false,
  });
  const wrong = (at: Place, message: string) => void report.problem(at, message);
  const read = { op: 'read' as const, entity: name, prompt_hash: promptHash, ops: [] };
  if (head.kind === 'search') {
    const text = typedValue(head.text, 'string', 'what is searched for', report);
    return text === undefined ? undefined : flow(refused('search', `${name}~${JSON.stringify(text)}`), head.name);
  }
  if (head.kind === 'get') {
    const { get, key } = entity;
    if (!get || key === undefined)
      return wrong(
        head.name,
        `one ${name} cannot be asked for: its catalog has no get${entity.list ? `; write ${name}{${key ?? 'field'} = …}` : ''}`,
      );
    const id = typedKey(head.key, entity.fields[key]!.type, key, report);
    return id === undefined ? undefined : flow({ ...read, source: getSource(get, id) });
  }
  const { list, get } = entity;
  if (!list)
    return wrong(
      head.name,
      `${name} cannot be listed: its catalog has no list${get ? `; one row is ${name}(id)` : ''}`,
    );
  return flow({ ...read, source: listSource(list, []) });
}

export const refused = (what: RefusedNode['what'], text: string) => ({ op: 'refused' as const, what, text });
