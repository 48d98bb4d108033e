import type { ChainAst, HeadAst, OpAst, ValueAst } from './ast.ts';
import type { Entity } from './catalog.ts';
import { type Around, entityOf, refused, shapeOf, unknownName } from './compile-chain.ts';
import type { Flow } from './flow.ts';
import { fieldOf, type Shape } from './shape.ts';
import { typedKey, typedValue } from './values.ts';

export type EffectAst = Extract<OpAst, { does: 'effect' }>;

/** A call that changes the row, or makes one, that `head` names. It is understood and checked, and not run yet. */
export function effectOn(head: HeadAst, effect: EffectAst, around: Around, row?: Shape): Flow | undefined {
  const { what } = effect;
  const name = head.name.text;
  const entity = around.catalog.entities[name]!;
  const wrong = (message: string) => void around.report.problem(effect, message);
  if (head.kind === 'search') return wrong(`.${what}(…) is not for what is searched; write ${name}(id).${what}(…)`);
  if (what === 'create' && head.kind === 'get')
    return wrong(`a row is made without its id: ${name}.create(field=value)`);
  if (what !== 'create' && head.kind === 'name') return wrong(`which ${name}? Write ${name}(id).${what}(…)`);
  const on = head.kind === 'get' ? `${name}(${keyText(head, entity, around, row)})` : name;
  return changed(on, { name, entity, effect, from: [] }, around, row);
}

/** The same on rows that were read. */
export function effectOnRows(flow: Flow, effect: EffectAst, around: Around): Flow | undefined {
  const { what } = effect;
  const wrong = (message: string) => void around.report.problem(effect, message);
  if (flow.entity === undefined) return wrong(`.${what}(…) is for rows of an entity, as they are`);
  if (what === 'create') return wrong(`.create(…) stands right behind the entity: ${flow.entity}.create(field=value)`);
  const entity = around.catalog.entities[flow.entity]!;
  return changed('', { name: flow.entity, entity, effect, from: [flow.draft] }, around);
}

interface Changed {
  name: string;
  entity: Entity;
  effect: EffectAst;
  from: Flow['draft'][];
}

function changed(on: string, { name, entity, effect, from }: Changed, around: Around, row?: Shape): Flow | undefined {
  const { what, values } = effect;
  const { report } = around;
  if (!entity[what]) return void report.problem(effect, `${name} has no ${what} in its catalog`);
  const shape = shapeOf(name, entity);
  const given = values.map(({ field, value }) => {
    const type = fieldOf(field, shape, report);
    return `${field.text}=${type && written(value, row, around, () => typedValue(value, type, field.text, report))}`;
  });
  const node = refused(what, `${on}.${what}(${given.sort().join(', ')})`);
  return { draft: { node, from, label: name, at: effect }, shape, shared: false, ended: `.${what}(…)` };
}

/** `rows => Entity(_.id).update(…)`: a call for every row. */
export function forEach(flow: Flow, { head, ops }: ChainAst, around: Around): Flow | undefined {
  const entity = entityOf(head.name, around);
  if (!entity) return void unknownName(head.name, around);
  const [effect, ...more] = ops;
  const name = head.name.text;
  let text: string | undefined;
  if (!effect && head.kind === 'get') text = `${name}(${keyText(head, entity, around, flow.shape)})`;
  else if (effect?.does === 'effect' && more.length === 0) {
    const called = effectOn(head, effect, around, flow.shape)?.draft.node;
    text = called?.op === 'refused' ? called.text : undefined;
  } else
    around.report.problem(
      head.name,
      `behind => stands one call for every row, such as ${name}(_.id).update(field=value)`,
    );
  if (text === undefined) return undefined;
  const draft = { node: refused('for_each', `=> ${text}`), from: [flow.draft], label: flow.draft.label, at: head.name };
  return { draft, shape: flow.shape, shared: false, ended: 'a call for every row' };
}

function keyText({ key }: Extract<HeadAst, { kind: 'get' }>, entity: Entity, around: Around, row?: Shape): string {
  const field = entity.key;
  const type = field === undefined ? undefined : entity.fields[field]!.type;
  if (type === undefined) return 'id';
  return written(key, row, around, () => typedKey(key, type, field!, around.report));
}

/** A value as the type has it, however it was written; or the field of a row. */
function written(value: ValueAst, row: Shape | undefined, { report }: Around, read: () => unknown): string {
  if (!row || value.kind !== 'ref' || value.base !== '_') return JSON.stringify(read()) ?? '';
  fieldOf(value.path[0]!, row, report);
  return `_.${value.path.map(({ text }) => text).join('.')}`;
}
