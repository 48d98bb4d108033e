/** A literal of the visibility query language, whatever is in it. */
export const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/**
 * As much of a text as Temporal compares as it is. Its parser (1.29) writes `"`, `\` and control characters in another way
 * when it reads a query back, and takes quotes off both ends; a NUL or half a character is an error that is tried again for minutes.
 */
const COMPARABLE = /^(?!')[^"\\\p{Cc}\p{Cs}]*[^"\\\p{Cc}\p{Cs}']/u;

/** A condition that holds for all that have this text as the attribute, and perhaps for more: compare what comes once again. */
export function mayBe(attribute: string, text: string): string {
  const comparable = COMPARABLE.exec(text)?.[0] ?? '';
  if (comparable === text && text !== '') return `${attribute} = ${quoted(text)}`;
  return comparable === '' ? `${attribute} IS NOT NULL` : `${attribute} STARTS_WITH ${quoted(comparable)}`;
}
