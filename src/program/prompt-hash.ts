import { createHash } from 'node:crypto';
import { canonical } from '../plan/fingerprint.ts';
import type { Json } from '../plan/json.ts';
import type { Catalog } from './catalog.ts';

/** 32 hex digits of what a catalog says: however it is written, in whatever order, with whatever comments. */
export const promptHash = (catalog: Catalog): string =>
  createHash('sha256')
    .update(canonical(catalog as unknown as Json))
    .digest('hex')
    .slice(0, 32);
