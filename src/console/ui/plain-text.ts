export const ESC = '\u001b';
const BELL = '\u0007';
/** Steers a terminal otherwise than by `ESC [`: titles, links, character sets; and characters that are no text. */
export const STEERING = new RegExp(
  `${ESC}\\][^${BELL}${ESC}]*(?:${BELL}|${ESC}\\\\)|${ESC}[()][A-Z0-9]|${ESC}[^[]|(?![\\t${ESC}])\\p{Cc}`,
  'gu',
);
/** `ESC [ 31 m` and its like: colours, and where the cursor goes. */
const CONTROL = new RegExp(`${ESC}\\[[0-?]*[ -/]*[@-~]`, 'g');

/** What a message says, without what would steer a terminal: commands write their errors for one. */
export const plainText = (text: string): string => (/\p{Cc}/u.test(text) ? withoutSteering(text) : text);

const withoutSteering = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(CONTROL, '').replace(STEERING, '').replaceAll(ESC, ''))
    .join('\n');
