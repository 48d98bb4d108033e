import type { Document, LineCounter as Lines, YAMLMap } from 'yaml';

export interface Place {
  line: number;
  column: number;
}

interface Found {
  offset: number | undefined;
  task: unknown;
}

const HANDLERS = ['on_failure', 'on_success', 'finally'];
/** A longer file is not read once more for this. */
const LONGEST = 500_000;

/** Where tasks stand in a plan file, by id: those in sub-plans (`build/push`), and steps that have an id or only their number. */
export async function placesOf(text: string, ids: readonly string[]): Promise<Map<string, Place>> {
  const places = new Map<string, Place>();
  if (ids.length === 0 || text.length > LONGEST) return places;
  const yaml = await import('yaml');
  const lines: Lines = new yaml.LineCounter();
  const document: Document = yaml.parseDocument(text, { lineCounter: lines, logLevel: 'silent' });
  for (const id of ids) {
    const offset = offsetOf(document.contents, id.split('/'));
    if (offset === undefined) continue;
    const { line, col } = lines.linePos(offset);
    places.set(id, { line, column: col });
  }
  return places;

  function offsetOf(plan: unknown, [id, ...within]: string[]): number | undefined {
    if (!yaml.isMap(plan) || id === undefined) return undefined;
    const found = taskIn(plan, id.replace(/\[\d+\]$/, ''));
    if (!found) return undefined;
    if (within.length === 0) return found.offset;
    const task = yaml.isMap(found.task) ? found.task : undefined;
    const inner = task?.get('plan') ?? inItems(task);
    return offsetOf(inner, within) ?? found.offset;
  }

  function inItems(task: YAMLMap | undefined): unknown {
    const map = task?.get('map');
    const each = yaml.isMap(map) ? map.get('task') : undefined;
    return yaml.isMap(each) ? each.get('plan') : undefined;
  }

  function taskIn(plan: YAMLMap, id: string): Found | undefined {
    const tasks = plan.get('tasks');
    const pair = yaml.isMap(tasks) && tasks.items.find(({ key }) => yaml.isScalar(key) && key.value === id);
    if (pair) return { offset: yaml.isScalar(pair.key) ? pair.key.range?.[0] : undefined, task: pair.value };
    return stepIn(plan.get('steps'), 'step', id) ?? handlerIn(plan, id);
  }

  function handlerIn(plan: YAMLMap, id: string): Found | undefined {
    for (const name of HANDLERS) {
      const handler = plan.get(name);
      const found = stepIn(handler, name, id);
      if (found) return found;
    }
    return undefined;
  }

  /** One without an id has its number, the first handler of a kind just its name. */
  function stepIn(steps: unknown, name: string, id: string): Found | undefined {
    const items: unknown[] = yaml.isSeq(steps) ? steps.items : [steps];
    const usual = (i: number) => (name !== 'step' && i === 0 ? name : `${name}-${i + 1}`);
    const step = items.find((each, i) => yaml.isMap(each) && (each.has('id') ? each.get('id') : usual(i)) === id);
    return yaml.isMap(step) ? { offset: step.range?.[0], task: step } : undefined;
  }
}
