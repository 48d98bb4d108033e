import { z } from 'zod';

/**
 * It stands in Workflow Ids between slashes and in queries of Temporal's visibility between quotes: only what means nothing
 * in either is taken, however an organisation is called elsewhere.
 */
export const orgId = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
    'has to be 1 to 64 letters, digits, dots, dashes and underscores, with a letter or digit first',
  );

/** Line breaks and control characters would let a name write into logs and terminals. */
const plainText = (most: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(most)
    .regex(/^[^\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]*$/u, 'has to be one line of plain text');

/** Temporal's search attributes take no more. */
export const principalId = plainText(200);
export const displayName = plainText(200);
