export const ESC = '\u001b';
const BELL = '\u0007';
/** Steers a terminal otherwise than by `ESC [`: titles, links, character sets; and characters that are no text. */
export const STEERING = new RegExp(
  `${ESC}\\][^${BELL}${ESC}]*(?:${BELL}|${ESC}\\\\)|${ESC}[()][A-Z0-9]|${ESC}[^[]|(?![\\t${ESC}])\\p{Cc}`,
  'gu',
);
/** `ESC [ 31 m` and its like: colours, and where the cursor goes. */
const CONTROL = new RegExp(`${ESC}\\[[0-?]*[ -/]*[@-~]`, 'g');

/** Change the direction in which what follows is read, unseen: U+202E before `yes` makes it look like `sey`. */
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * What a message or a name says, without what would steer a terminal, for commands write their errors for one; what would turn the
 * direction of its letters is a mark, so that what is read is what is there.
 */
export const plainText = (text: string): string =>
  withDirectionsSeen(/\p{Cc}/u.test(text) ? withoutSteering(text) : text);

/** The same of a text that keeps its colours. */
export const withDirectionsSeen = (text: string): string =>
  text.replace(DIRECTION, (mark) => `⟨U+${mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`);

const withoutSteering = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(CONTROL, '').replace(STEERING, '').replaceAll(ESC, ''))
    .join('\n');
