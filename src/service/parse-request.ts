import type { z } from 'zod';
import { Fault, type Problem } from '../faults.ts';
import { nearestNames } from './plan-file/nearest.ts';
import { checkSchema } from './plan-file/schema-problems.ts';

/** Checks what came from outside, in the words that plan files are checked with; throws REQUEST_INVALID with all that is wrong. */
export function parseRequest<T>(schema: z.ZodType<T>, value: unknown): T {
  const errors: Problem[] = [];
  const nearest = nearestNames();
  const parsed = checkSchema(schema, value, {
    problem: (path, message) => errors.push({ message, path }),
    nearest,
    didYouMean: (word, known) => nearest(word, known) ?? '',
  });
  const [first] = errors;
  if (!first) return parsed as T;
  const told = `${first.path.join('.') || 'the request'}: ${first.message}`;
  const detail = errors.length === 1 ? told : `${errors.length} problems; the first: ${told}`;
  throw new Fault('REQUEST_INVALID', detail, { errors });
}
