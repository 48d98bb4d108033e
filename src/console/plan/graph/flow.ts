import type { Node, ReactFlowProps } from '@xyflow/react';
import type { Layout } from './layout.ts';

/** Of more than so many tasks only those in view are drawn. */
export const LARGE = 150;

/** A graph is to be read, not edited; its texts are for who hears the page. */
export const TO_BE_READ = {
  edges: [],
  minZoom: 0.03,
  maxZoom: 1.75,
  nodesDraggable: false,
  nodesConnectable: false,
  nodesFocusable: false,
  edgesFocusable: false,
  elementsSelectable: false,
  disableKeyboardA11y: true,
  deleteKeyCode: null,
  selectionKeyCode: null,
  multiSelectionKeyCode: null,
  ariaLabelConfig: {
    'node.a11yDescription.default': 'Enter opens the task.',
    'node.a11yDescription.keyboardDisabled': 'Enter opens the task.',
    'edge.a11yDescription.default': 'A line from a task to one that needs it.',
    'minimap.ariaLabel': 'The whole graph, small',
  },
  proOptions: { hideAttribution: true },
} satisfies ReactFlowProps;

/** Nodes say where they are, and nothing that changes: what they show they read themselves. */
export function nodesOf({ tasks, groups }: Layout): Node[] {
  const plain = { 'aria-roledescription': undefined };
  const common = { data: {}, handles: [], focusable: false, domAttributes: plain as Node['domAttributes'] & object };
  return [
    ...groups.map(({ handler, x, y, width, height }) => ({
      ...common,
      id: `group ${handler}`,
      type: 'group',
      position: { x, y },
      width,
      height,
      measured: { width, height },
      data: { handler },
      zIndex: -1,
    })),
    ...tasks.map(({ id, x, y, width, height, isContainer }) => ({
      ...common,
      id,
      type: isContainer ? 'container' : 'task',
      position: { x, y },
      width,
      height,
      measured: { width, height },
      zIndex: isContainer ? 1 : 3,
    })),
  ];
}
