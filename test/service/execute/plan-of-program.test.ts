import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/plan/json.ts';
import type { DagNode, ProgramDag, ReadNode } from '../../../src/program/dag.ts';
import { planOfProgram } from '../../../src/service/execute/plan-of-program.ts';

const readOf = (id: string, more: Partial<ReadNode> = {}): ReadNode => ({
  id,
  op: 'read',
  entity: 'Pokemon',
  prompt_hash: 'h',
  source: { http: { url: 'http://x/' }, items: 'body' },
  ops: [],
  ...more,
});
const sortOf = (id: string, from: string): DagNode => ({
  ...{ id, op: 'rows', from },
  ops: [{ sort: [{ field: 'id', desc: true }] }],
});
const dagOf = (nodes: DagNode[], returns: string[]): ProgramDag => ({
  version: 1,
  nodes,
  edges: nodes.flatMap((node) => (node.op === 'rows' ? [[node.from, node.id] as [string, string]] : [])),
  topological_order: nodes.map(({ id }) => id),
  returns,
});
const wordsOf = (task: { with: Json }) => task.with as Record<string, Json>;

describe('the plan of a program', () => {
  test('has a task for each node, after the one whose rows it takes, numbered and with its label', () => {
    const dag = dagOf([readOf('n1'), sortOf('n2', 'n1'), readOf('n3')], ['n2', 'n3']);
    const plan = planOfProgram({ dag, labels: { n2: 'strong' } }, 'p');
    expect(plan).toMatchObject({ schema_version: 1, name: 'p' });
    expect(plan.tasks.map(({ id, kind, mode, needs, uses }) => ({ id, kind, mode, needs, uses }))).toEqual([
      { id: 'n1', kind: 'read', mode: 'activity', needs: [], uses: [] },
      { id: 'n2', kind: 'rows', mode: 'activity', needs: [0], uses: [0] },
      { id: 'n3', kind: 'read', mode: 'activity', needs: [], uses: [] },
    ]);
    expect(plan.tasks.map(wordsOf).map(({ step, total, label }) => `${step}/${total} ${label}`)).toEqual([
      '1/3 Pokemon',
      '2/3 strong',
      '3/3 Pokemon',
    ]);
    expect(plan.tasks[0]!.retry.max_attempts).toBe(3);
  });

  test('leaves out what nothing returned comes from', () => {
    const dag = dagOf([readOf('n1'), readOf('n2'), sortOf('n3', 'n2')], ['n3']);
    const { tasks } = planOfProgram({ dag, labels: {} }, 'p');
    expect(tasks.map(({ id, needs }) => [id, needs])).toEqual([
      ['n2', []],
      ['n3', [0]],
    ]);
    expect(wordsOf(tasks[1]!)).toMatchObject({ step: 2, total: 2, label: 'n3' });
  });

  test('names the secrets of a source where attempts look for them', () => {
    const source = { http: { url: 'http://x/' }, items: 'body', secrets: ['KEY'] };
    const { tasks } = planOfProgram({ dag: dagOf([readOf('n1', { source })], ['n1']), labels: {} }, 'p');
    expect(wordsOf(tasks[0]!).secrets).toEqual(['KEY']);
  });

  test('goes on with one read, and nothing else', () => {
    const dag = dagOf([readOf('n1'), readOf('n2'), sortOf('n3', 'n2')], ['n1', 'n3']);
    const at = { cursor: '50', skip: 3, taken: [] };
    const { tasks } = planOfProgram({ dag, labels: {} }, 'p', { from: { node: 'n2', at } });
    expect(tasks.map(({ id }) => id)).toEqual(['n2']);
    expect(wordsOf(tasks[0]!)).toMatchObject({ step: 1, total: 1, from: at });
    expect(() => planOfProgram({ dag, labels: {} }, 'p', { from: { node: 'n3', at } })).toThrow(
      'n3 is no read of this program',
    );
  });

  test('is none of what is not run', () => {
    const refused: DagNode = { id: 'n1', op: 'refused', what: 'delete', text: 'City(1).delete()', from: [] };
    const task: DagNode = { id: 'n1', op: 'task', kind: 'run', fingerprint: 'f' };
    expect(() => planOfProgram({ dag: dagOf([refused], ['n1']), labels: {} }, 'p')).toThrow(
      'delete (City(1).delete()) is not run',
    );
    expect(() => planOfProgram({ dag: dagOf([task], ['n1']), labels: {} }, 'p')).toThrow('the task n1 is not run');
  });

  test('has fingerprints by what its nodes do', () => {
    const mark = (more: Partial<ReadNode>) =>
      planOfProgram({ dag: dagOf([readOf('n1', more)], ['n1']), labels: {} }, 'p').tasks[0]!.fingerprint;
    expect(mark({})).toBe(mark({}));
    expect(mark({ ops: [{ limit: 1 }] })).not.toBe(mark({}));
  });
});
