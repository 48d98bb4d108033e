import type { Json, JsonObject } from '../plan/json.ts';

/**
 * A program, compiled: what is run, step by step, and what its commit is hashed over. Whatever two programs write differently
 * and mean the same is the same here; names and labels that people gave are not in it.
 */
export interface ProgramDag {
  version: 1;
  nodes: DagNode[];
  /** From the node that gives rows to the one that takes them. */
  edges: [from: string, to: string][];
  /** Ids of all nodes; the n-th is step n of the operation. */
  topological_order: string[];
  /** Ids of the nodes whose rows are the result. */
  returns: string[];
}

export type DagNode = ReadNode | RowsNode | TaskNode | RefusedNode;

/** Reads rows of an entity from its source, and does `ops` to them as they come. */
export interface ReadNode {
  id: string;
  op: 'read';
  entity: string;
  /** The catalog that the source is of. */
  prompt_hash: string;
  source: ListSource | GetSource;
  /** What its catalog declares, sorted; what else a source says of a row is left out. Absent where `ops` choose fields themselves. */
  fields?: string[];
  ops: RowOp[];
  /** Of the rows that `ops` leave, so many are one page; the next are read when they are asked for. */
  page_size?: number;
}

/** Does `ops` to the rows of another node. */
export interface RowsNode {
  id: string;
  op: 'rows';
  from: string;
  ops: RowOp[];
  page_size?: number;
}

/** A task of a plan file that came in place of a program. */
export interface TaskNode {
  id: string;
  op: 'task';
  kind: string;
  fingerprint: string;
}

/** What is understood and not run yet: relations, `for_each`, calls that change something. */
export interface RefusedNode {
  id: string;
  op: 'refused';
  what: 'relation' | 'for_each' | 'create' | 'update' | 'delete' | 'search';
  /** The words of the program, canonical. */
  text: string;
  from: string[];
}

/** The request of the first page, in the words of an `http` task, and how the pages after it are found. */
export interface ListSource {
  http: JsonObject;
  /** CEL over `body`: the list of rows; the next cursor, or null after the last page. */
  items: string;
  next?: string;
  /** The query parameter that takes the cursor. */
  cursor?: string;
  /** Rows that a page of the source has, as far as its catalog says. */
  page_size?: number;
  /** Names of secrets that the request reads. */
  secrets?: string[];
}

/** The request of one row; its `id` is filled in already. */
export interface GetSource {
  http: JsonObject;
  /** CEL over `body`: the row; the body itself unless said. */
  item?: string;
  secrets?: string[];
}

/** From left to right, as the program has them. */
export type RowOp =
  | { filter: Predicate[] }
  | { project: string[] }
  | { map: { name: string; path: string[] }[] }
  | { limit: number }
  | { sort: { field: string; desc: boolean; type?: FieldType }[] }
  | { group_by: string[]; aggregate: Aggregate[] }
  | { singleton: true };

/** All of a list have to hold. `~`: contains, without regard to case. */
export interface Predicate {
  field: string;
  op: '=' | '!=' | '>' | '<' | '>=' | '<=' | '~';
  value: Json;
  type?: FieldType;
}

/**
 * By what values of a field are compared, of those that are more than what JSON has: numbers, which sources also write as texts,
 * and dates. Absent for all others.
 */
export type FieldType = 'number' | 'date';

export interface Aggregate {
  name: string;
  does: 'count' | 'sum' | 'min' | 'max' | 'avg';
  /** Absent for `count`. */
  field?: string;
  type?: FieldType;
}

/** Ops that work on rows one by one, and need not see them all. */
export const isStreaming = (op: RowOp): boolean => 'filter' in op || 'project' in op || 'map' in op || 'limit' in op;
