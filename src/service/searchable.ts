/**
 * Text as a search attribute holds it. Temporal's query language has no way to write quotes, backslashes and control
 * characters that it reads as they were meant, so they are written as in a URL; and with them gone, no text can end a literal.
 */
export const searchable = (text: string): string =>
  text.replace(/['"\\\p{Cc}\p{Cs}]/gu, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
