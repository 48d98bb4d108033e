import type { ReadPosition } from '../../plan/read-position.ts';
import type { ReadNode, RowsNode } from '../../program/dag.ts';

/** What a task of a program carries in `with`; made by `service/execute`. */
export interface NodeWords<Node = ReadNode | RowsNode> {
  node: Node;
  /** The how-manieth step of the operation it is, from 1, of how many. */
  step: number;
  total: number;
  /** As people know it: the name that the program gave, or its entity. */
  label: string;
  /** Of a read: where it begins; absent for the first page. */
  from?: ReadPosition;
  /** Names of secrets that its request reads. */
  secrets?: string[];
}
