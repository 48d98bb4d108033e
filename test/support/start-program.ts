import type { Client } from '@temporalio/client';
import { v4 as uuidv4 } from 'uuid';
import { ENGINE_QUEUE } from '../../src/contract/names.ts';
import { pack } from '../../src/contract/packed.ts';
import type { DagNode, ProgramDag } from '../../src/program/dag.ts';
import { localCaller } from '../../src/service/caller.ts';
import { type GoOn, planOfProgram } from '../../src/service/execute/plan-of-program.ts';
import { recordPlace } from '../../src/service/place.ts';
import { startWorkflow } from '../../src/service/start-workflow.ts';

/** A program of these nodes, one after another; all that nothing else takes are returned. */
export function dagOf(nodes: DagNode[]): ProgramDag {
  const edges = nodes.flatMap((node) => (node.op === 'rows' ? [[node.from, node.id] as [string, string]] : []));
  const taken = new Set(edges.map(([from]) => from));
  const ids = nodes.map(({ id }) => id);
  return { version: 1, nodes, edges, topological_order: ids, returns: ids.filter((id) => !taken.has(id)) };
}

/** Starts the plan of a program, as an operation would be started. */
export async function startProgram(client: Client, dag: ProgramDag, options: { from?: GoOn } = {}): Promise<string> {
  const plan_id = uuidv4();
  const { principal } = localCaller('test');
  const definition = planOfProgram({ dag, labels: {} }, 'a program', options);
  await startWorkflow(
    client,
    {
      ...{ schema_version: 1, plan_id, path: '', principal, definition: pack(definition), inputs: {} },
      ...{ place: recordPlace(process.env), task_queue: ENGINE_QUEUE, review: false, trigger: 'test' },
    },
    { body_hash: '', created_at: Date.now() },
    { workflowIdReusePolicy: 'REJECT_DUPLICATE', workflowIdConflictPolicy: 'FAIL' },
  );
  return plan_id;
}
