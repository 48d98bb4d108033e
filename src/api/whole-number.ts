import { z } from 'zod';

const SAFE_DIGITS = 15;

/** A whole number in a query string. Whether it is within its bounds, whoever uses it says. */
export const wholeNumber = (bounds: { minimum?: number; maximum?: number }) =>
  z
    .string()
    .refine((text) => /^\d+$/.test(text) && text.length <= SAFE_DIGITS, 'has to be a whole number')
    .transform(Number)
    .meta({ type: 'integer', ...bounds });
