import { createContext, useContext } from 'react';
import type { Standing } from './hold.ts';
import { Keyed } from './keyed.ts';
import { Marks } from './marks.ts';
import type { Shown } from './shown.ts';

/** What the nodes of a graph draw themselves from, each by its task's id. */
export class GraphStore extends Marks {
  readonly tasks = new Keyed<Shown>();
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
