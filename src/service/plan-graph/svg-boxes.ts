import { type GraphNode, kindInWords } from './graph.ts';
import type { Size } from './layout.ts';
import { NAME_SIZE, TEXT_SIZE } from './svg-style.ts';
import { clipped, textWidth, xml } from './svg-text.ts';

export interface Drawn extends Size {
  /** SVG, from 0, 0. */
  body: string;
}

/** Bold letters are wider. */
const BOLD = NAME_SIZE * 1.1;
const SIDE = 14;
/** By how much the lower sheets of a pile stand out. */
const PILE = 5;
const LINE = 18;
const FRAME = { side: 20, top: 40, bottom: 20 };
const LONGEST_NAME = 36;
const LONGEST_TEXT = 48;

/** A task: what it is called, what it does, its condition, and where it stands. */
export function drawBox(node: GraphNode): Drawn {
  const { label, mode, status } = node;
  const name = clipped(label, LONGEST_NAME);
  const lines = [...aboutOf(node), ...statusOf(node)].map((line) => ({
    ...line,
    text: clipped(line.text, LONGEST_TEXT),
  }));
  const widest = Math.max(textWidth(name, BOLD), ...lines.map(({ text }) => textWidth(text, TEXT_SIZE)));
  const width = Math.max(88, Math.ceil(widest) + 2 * SIDE + (mode === 'question' ? 12 : 0));
  const height = 20 + LINE * (1 + lines.length);
  const texts = [{ text: name, className: 'name' }, ...lines].map(
    ({ text, className }, k) =>
      `<text class="${className}" x="${width / 2}" y="${23 + LINE * k}" text-anchor="middle">${xml(text)}</text>`,
  );
  const body = `<g class="${[mode, status].filter(Boolean).join(' ')}"><title>${xml(toldOf(node))}</title>${sidesOf(node, width, height)}${texts.join('')}</g>`;
  const out = mode === 'map' ? PILE : 0;
  return { width: width + out, height: height + out, body: `<g transform="translate(0 ${out})">${body}</g>` };
}

/** A box around others, with a title. */
export function drawFrame(inside: Drawn, titled: GraphNode | string, className: 'group' | 'handler'): Drawn {
  const node = typeof titled === 'string' ? undefined : titled;
  const told = node ? [...aboutOf(node), ...statusOf(node)].map(({ text }) => text).join(', ') : '';
  const name = node ? clipped(node.label, LONGEST_NAME) : (titled as string);
  const nameWidth = textWidth(name, BOLD);
  const width = Math.max(inside.width, nameWidth + 10 + textWidth(told, TEXT_SIZE)) + 2 * FRAME.side;
  const height = inside.height + FRAME.top + FRAME.bottom;
  const title = `<text class="name" x="${FRAME.side}" y="24">${xml(name)}<tspan class="text" dx="10" font-weight="400">${xml(told)}</tspan></text>`;
  const around = `<rect class="box" width="${width}" height="${height}" rx="10"/>`;
  const content = `<g transform="translate(${(width - inside.width) / 2} ${FRAME.top})">${inside.body}</g>`;
  const about = `<title>${xml(node ? toldOf(node) : name)}</title>`;
  const body = `<g class="${[className, node?.status].filter(Boolean).join(' ')}">${about}${around}${title}${content}</g>`;
  return { width, height, body };
}

interface Line {
  text: string;
  className: string;
}

function aboutOf(node: GraphNode): Line[] {
  const condition = node.if === undefined ? [] : [{ text: `if ${node.if}`, className: 'text' }];
  return [{ text: kindInWords(node), className: 'text' }, ...condition];
}

function statusOf({ status, items }: GraphNode): Line[] {
  const text = [status?.replace('_', ' '), items && `${items.succeeded} of ${items.total} done`]
    .filter(Boolean)
    .join(', ');
  return text ? [{ text, className: 'text status' }] : [];
}

/** All there is to know, for pointers and screen readers: what is drawn may be clipped. */
const toldOf = (node: GraphNode): string =>
  [
    `${node.id}: ${kindInWords(node)}`,
    node.if === undefined ? '' : `if ${node.if}`,
    node.status ?? '',
    node.needs.length > 0 ? `after ${node.needs.slice(0, 20).join(', ')}` : '',
  ]
    .filter(Boolean)
    .join('; ');

/** Questions are pointed at both sides, maps are a pile, what needs no worker is round. */
function sidesOf({ mode }: GraphNode, width: number, height: number): string {
  if (mode === 'question') {
    const [tip, middle] = [12, height / 2];
    return `<path class="box" stroke-linejoin="round" d="M${tip} 0H${width - tip}L${width} ${middle} ${width - tip} ${height}H${tip}L0 ${middle}z"/>`;
  }
  const radius = mode === 'clock' || mode === 'value' ? height / 2.6 : 8;
  const box = (shift: number) =>
    `<rect class="box" x="${shift}" y="${-shift}" width="${width}" height="${height}" rx="${radius}"/>`;
  return mode === 'map' ? box(PILE) + box(0) : box(0);
}
