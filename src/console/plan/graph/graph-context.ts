import { createContext, useContext } from 'react';
import type { Standing } from './hold.ts';
import { Keyed } from './keyed.ts';
import type { Shown } from './shown.ts';

/** What the nodes of a graph draw themselves from, each by its task's id. */
export class GraphStore {
  readonly tasks = new Keyed<Shown>();
  /** The task whose panel is open. */
  readonly selected = new Keyed<true>();
  /** The one node that Tab leads to, and from which the arrow keys go on. */
  readonly active = new Keyed<true>();
  /** The active node is to take the focus as soon as it is drawn. */
  wantsFocus = false;

  mark(which: 'selected' | 'active', id: string | undefined): void {
    this[which].replace(new Map(id === undefined ? [] : [[id, true]]));
  }
  activeId(): string | undefined {
    return this.active.all().keys().next().value;
  }
}

export interface Graph {
  store: GraphStore;
  standing: Standing;
  direction: 'down' | 'right';
  open: (task: string) => void;
}

export const GraphContext = createContext<Graph | undefined>(undefined);

export function useGraph(): Graph {
  const graph = useContext(GraphContext);
  if (!graph) throw new Error('a node outside of a graph');
  return graph;
}
