import type { ProgramAst } from './ast.ts';
import type { Catalog } from './catalog.ts';
import type { ProgramDag } from './dag.ts';

export interface Compiled {
  dag: ProgramDag;
  /** By node id: what people know the step by. */
  labels: Record<string, string>;
  /** Named steps that no other step and no return uses; they are not in the DAG. */
  unused: string[];
}

/** Throws PROGRAM_INVALID with all names and values that do not fit the catalog. */
export function compile(_ast: ProgramAst, _catalog: Catalog, _promptHash: string): Compiled {
  throw new Error('not there yet');
}
