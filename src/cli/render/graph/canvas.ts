import { stripVTControlCharacters } from 'node:util';

/** Which sides of a cell a line leaves by. */
export const UP = 1;
export const DOWN = 2;
export const LEFT = 4;
export const RIGHT = 8;

const LINES = ' ╵╷│╴┘┐┤╶└┌├─┴┬┼';

/** Text cells by row and column. A cell holds one character of a line of text, or what of lines goes through it. */
export class Canvas {
  readonly #rows: Cell[][] = [];

  get height(): number {
    return this.#rows.length;
  }

  get width(): number {
    return Math.max(0, ...this.#rows.map((row) => row.length));
  }

  /** Puts another one over this one. */
  place(x: number, y: number, other: Canvas): void {
    for (const [k, row] of other.#rows.entries())
      row.forEach((cell, column) => void this.#set(x + column, y + k, cell));
  }

  /** Writes text, of which a terminal shows one character per cell; `paint` colours it when it is printed. */
  text(x: number, y: number, text: string, paint?: Paint): void {
    for (const [k, character] of charactersOf(text).entries())
      this.#set(x + k, y, { character, ...(paint && { paint }) });
  }

  /** Lines of one net join where they meet; those of two nets cross, the upright one in front. */
  line(x: number, y: number, sides: number, net: string, paint?: Paint): void {
    const cell = this.#rows[y]?.[x];
    if (cell && 'character' in cell) return;
    const nets = new Map(cell?.nets);
    nets.set(net, (nets.get(net) ?? 0) | sides);
    this.#set(x, y, { nets, ...(paint && { paint }) });
  }

  print(): string[] {
    return this.#rows.map((row) =>
      Array.from(row ?? [], printed)
        .join('')
        .trimEnd(),
    );
  }

  #set(x: number, y: number, cell: Cell): void {
    for (let row = this.#rows.length; row <= y; row++) this.#rows[row] = [];
    this.#rows[y]![x] = cell;
  }
}

export type Paint = (text: string) => string;
type Cell = { paint?: Paint } & ({ character: string } | { nets: Map<string, number> });

const charactersOf = (text: string): string[] => [...stripVTControlCharacters(text)];

function printed(cell: Cell | undefined): string {
  if (!cell) return ' ';
  const character = 'character' in cell ? cell.character : LINES[sidesOf([...cell.nets.values()])]!;
  return cell.paint ? cell.paint(character) : character;
}

function sidesOf(nets: number[]): number {
  const upright = nets.filter((sides) => (sides & (LEFT | RIGHT)) === 0);
  const level = nets.filter((sides) => (sides & (UP | DOWN)) === 0);
  const isCrossing = upright.length > 0 && upright.length + level.length === nets.length;
  return (isCrossing ? upright : nets).reduce((all, sides) => all | sides, 0);
}
