import { createHash } from 'node:crypto';
import { canonical } from '../plan/fingerprint.ts';
import type { Json } from '../plan/json.ts';
import type { ProgramDag } from './dag.ts';

/** SHA-256 in hex of exactly the five fields (document 2): the same program has the same commit, however it is called. */
export function commitId({ version, nodes, edges, topological_order, returns }: ProgramDag): string {
  const hashed = canonical({ version, nodes, edges, topological_order, returns } as unknown as Json);
  return createHash('sha256').update(hashed).digest('hex');
}
