import type { Document, LineCounter as Lines, YAMLMap } from 'yaml';

export interface Place {
  line: number;
  column: number;
}

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

  function taskIn(plan: YAMLMap, id: string): { offset: number | undefined; task: unknown } | undefined {
    const tasks = plan.get('tasks');
    if (yaml.isMap(tasks)) {
      const pair = tasks.items.find(({ key }) => yaml.isScalar(key) && key.value === id);
      return pair && { offset: yaml.isScalar(pair.key) ? pair.key.range?.[0] : undefined, task: pair.value };
    }
    const steps = plan.get('steps');
    if (!yaml.isSeq(steps)) return undefined;
    const at = steps.items.findIndex(
      (step, i) => yaml.isMap(step) && (step.get('id') === id || (!step.has('id') && `step-${i + 1}` === id)),
    );
    const step = steps.items[at];
    return yaml.isMap(step) ? { offset: step.range?.[0], task: step } : undefined;
  }
}
