import { mustBeDrawable } from './drawable.ts';
import { layersIn, type PlanGraph } from './graph.ts';
import { type Layout, layOut, type Point } from './layout.ts';
import { type Drawn, drawBox, drawFrame } from './svg-boxes.ts';
import { STYLE } from './svg-style.ts';
import { clipped, textWidth, xml } from './svg-text.ts';

const GAPS = { between: 28, layers: 44, lines: 14 };
const MARGIN = 24;
const TITLE_HEIGHT = 40;

/** The graph as a drawing that stands for itself: no scripts, no fonts, nothing from elsewhere. Throws USAGE when it is too large. */
export function svgOf(graph: PlanGraph): string {
  const { name, nodes, groups } = graph;
  mustBeDrawable(graph);
  const handlers = groups
    .filter(({ kind }) => kind === 'handler')
    .map(({ id, label }) => drawFrame(drawLevel(graph, id), label, 'handler'));
  const { width, height, body } = stacked([drawLevel(graph, undefined), ...handlers]);
  const title = clipped(name, 100);
  const whole = Math.ceil(Math.max(width, textWidth(title, 19)) + 2 * MARGIN);
  const high = Math.ceil(height + TITLE_HEIGHT + 2 * MARGIN);
  const told = `${nodes.length === 1 ? '1 task' : `${nodes.length} tasks`}; arrows lead from a task to those that need it`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${whole}" height="${high}" viewBox="0 0 ${whole} ${high}" role="img" aria-labelledby="title about">
<title id="title">${xml(name)}</title>
<desc id="about">${told}</desc>
<style>${STYLE}</style>
<defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto-start-reverse"><path class="head" d="M0 0.5 10 5 0 9.5z"/></marker></defs>
<rect class="ground" width="${whole}" height="${high}"/>
<text class="title" x="${MARGIN}" y="${MARGIN + 16}">${xml(title)}</text>
${placed(body, { x: (whole - width) / 2, y: MARGIN + TITLE_HEIGHT })}
</svg>
`;
}

/** Drawings one below the other. */
function stacked(parts: Drawn[]): Drawn {
  const width = Math.max(...parts.map((part) => part.width));
  let height = 0;
  const body = parts.map((part, k) => {
    if (k > 0) height += GAPS.layers;
    const at = placed(part.body, { x: (width - part.width) / 2, y: height });
    height += part.height;
    return at;
  });
  return { width, height, body: body.join('\n') };
}

/** The tasks of one group, with what is inside of them. */
function drawLevel(graph: PlanGraph, group: string | undefined): Drawn {
  const nodes = layersIn(graph, group).flat();
  const drawn = new Map(
    nodes.map((node) => {
      const isGroup = graph.groups.some(({ id }) => id === node.id);
      return [node.id, isGroup ? drawFrame(drawLevel(graph, node.id), node, 'group') : drawBox(node)];
    }),
  );
  const layout = layOut(nodes, (id) => drawn.get(id)!, GAPS);
  const boxes = layout.boxes.map(({ id, x, y, width, height }) =>
    placed(drawn.get(id)!.body, { x: x - width / 2, y: y - height / 2 }),
  );
  return { width: layout.width, height: layout.height, body: [...edgesOf(layout), ...boxes].join('\n') };
}

/** Curves that leave a box straight down, pass others straight, and enter the next straight from above. */
function edgesOf({ boxes, edges, layers }: Layout): string[] {
  const byId = new Map(boxes.map((box) => [box.id, box]));
  const layerOf = (y: number) => layers.findIndex(({ bottom }) => y <= bottom);
  return edges.map(({ from, to, past }) => {
    const [start, end] = [byId.get(from)!, byId.get(to)!];
    const first = layerOf(start.y);
    const way = [
      { x: start.x, y: start.y + start.height / 2 },
      { x: start.x, y: layers[first]!.bottom },
      ...past.flatMap((x, k) => {
        const { top, bottom } = layers[first + 1 + k]!;
        return [
          { x, y: top },
          { x, y: bottom },
        ];
      }),
      { x: end.x, y: layers[first + 1 + past.length]!.top },
      { x: end.x, y: end.y - end.height / 2 },
    ];
    return `<path class="edge" marker-end="url(#arrow)" d="${curve(way)}"/>`;
  });
}

function curve([first, ...rest]: Point[]): string {
  let last = first!;
  const parts = rest.map((point) => {
    const middle = round((last.y + point.y) / 2);
    const isStraight = last.x === point.x;
    const part = isStraight ? `L${at(point)}` : `C${round(last.x)} ${middle} ${round(point.x)} ${middle} ${at(point)}`;
    const isNowhere = isStraight && last.y === point.y;
    last = point;
    return isNowhere ? '' : part;
  });
  return `M${at(first!)}${parts.join('')}`;
}

const round = (n: number): number => Math.round(n * 10) / 10;
const at = ({ x, y }: Point): string => `${round(x)} ${round(y)}`;
const placed = (body: string, { x, y }: Point): string =>
  `<g transform="translate(${round(x)} ${round(y)})">${body}</g>`;
