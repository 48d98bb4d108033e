import Anser from 'anser';
import { ESC, STEERING, withDirectionsSeen } from '../../ui/plain-text.ts';

/** A part of a line that is written in another way: by classes of `logs.css`, and of one colour of millions, by that. */
export interface LineStyle {
  from: number;
  to: number;
  className: string;
  colour?: string;
}
export interface PlainLine {
  text: string;
  styles?: LineStyle[];
}

/** Chooses the font that is there already: what follows it has the colours that are in force. */
const NOTHING = `${ESC}[10m`;

/** Reads the lines of a terminal's output one after another, for a colour holds until another is chosen. */
export function ansiReader(): (raw: string) => PlainLine {
  const anser = new Anser();
  let inForce = false;
  return (raw) => {
    const line = withDirectionsSeen(lastWritten(raw));
    if (!inForce && !line.includes(ESC)) return { text: line.replace(STEERING, '') };
    // What stands at the end tells what is in force then.
    const chunks = anser.ansiToJson(`${NOTHING}${line.replace(STEERING, '')}${NOTHING}.`, {
      json: true,
      use_classes: true,
    });
    const last = chunks.pop();
    inForce = last !== undefined && styleOf(last) !== undefined;
    let text = '';
    const styles: LineStyle[] = [];
    for (const chunk of chunks) {
      const from = text.length;
      text += chunk.content.replaceAll(ESC, '');
      const style = text.length > from && styleOf(chunk);
      if (style) styles.push({ from, to: text.length, ...style });
    }
    return styles.length > 0 ? { text, styles } : { text };
  };
}

/** Of a line that was written over, as progress bars do, what a terminal shows at last. */
function lastWritten(raw: string): string {
  const end = raw.replace(/\r+$/, '');
  const at = end.lastIndexOf('\r');
  return at < 0 ? end : end.slice(at + 1);
}

type Chunk = ReturnType<typeof Anser.ansiToJson>[number];

function styleOf({ fg, bg, fg_truecolor, decorations }: Chunk): Pick<LineStyle, 'className' | 'colour'> | undefined {
  const colour = fg === 'ansi-truecolor' ? `rgb(${fg_truecolor})` : paletteColour(fg);
  const classes = [
    colour ? 'ansi-any' : fg,
    bg && `on-${bg.startsWith('ansi-palette') ? 'ansi-truecolor' : bg}`,
    ...new Set(decorations.map((name) => `ansi-${name}`)),
  ].filter(Boolean);
  if (classes.length === 0) return undefined;
  return { className: classes.join(' '), ...(colour && { colour }) };
}

/** Of the 256 colours, those after the first 16: a cube of 6×6×6, and grays. */
function paletteColour(name: string | null): string | undefined {
  const number = Number(/^ansi-palette-(\d+)$/.exec(name ?? '')?.[1] ?? Number.NaN);
  if (Number.isNaN(number)) return undefined;
  if (number >= 232)
    return `rgb(${Array(3)
      .fill(8 + (number - 232) * 10)
      .join(' ')})`;
  const cube = number - 16;
  const level = (step: number) => (step === 0 ? 0 : 55 + 40 * step);
  return `rgb(${level(Math.floor(cube / 36))} ${level(Math.floor(cube / 6) % 6)} ${level(cube % 6)})`;
}
