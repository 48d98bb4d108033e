/** Widths of characters in a proportional font, in parts of its size; a viewer's font differs by less than the margins. */
const NARROW = /[ijl.,:;'|![\]()ftrI ]/;
const WIDE = /[mwMW@%—…]|\p{Lu}/u;
const FULL = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Extended_Pictographic}/u;

const widthOf = (character: string): number =>
  FULL.test(character) ? 1.1 : NARROW.test(character) ? 0.38 : WIDE.test(character) ? 0.84 : 0.61;

/** About how wide a line of text is, in the unit of `size`. */
export const textWidth = (text: string, size: number): number =>
  [...text].reduce((sum, character) => sum + widthOf(character), 0) * size;

/** The text, or as much of it as `longest` characters hold. */
export function clipped(text: string, longest: number): string {
  const characters = [...text.replace(/\s+/g, ' ')];
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : characters.join('');
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** For text and attributes. Characters that XML does not know at all are left out. */
export const xml = (text: string): string =>
  text
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"']/g, (character) => ENTITIES[character]!);
