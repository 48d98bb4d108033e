import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '../../faults.ts';
import type { Caller } from '../caller.ts';
import type { ExecuteService } from '../execute.ts';
import type { CatalogListed } from './catalogs.ts';

const HASH = /^[0-9a-f]{32,64}$/;
/** A part of a hash that is shorter than this may be of any. */
const PART = /^[0-9a-f]{6,}$/;
const SHORT = /^[0-9a-f]{1,5}$/;
/** A catalog that was just registered is listed a moment later. */
const LISTED_MS = 2_500;
const LOOK_MS = 250;
const MOST_NAMED = 20;

/**
 * The prompt_hash of the catalog that is meant: named by it, by its first six digits or more, or by its name; where nothing is named, of the
 * only one that the organisation has. Throws CATALOG_NOT_FOUND, and REQUEST_INVALID when it may be several.
 */
export async function catalogMeant(
  { catalogs }: Pick<ExecuteService, 'catalogs'>,
  caller: Caller,
  named: string | undefined,
): Promise<string> {
  if (named !== undefined && HASH.test(named)) return named;
  const isMeant = ({ prompt_hash, name }: CatalogListed) =>
    named === undefined || name === named || (PART.test(named) && prompt_hash.startsWith(named));
  const end = Date.now() + LISTED_MS;
  let all = await catalogs(caller);
  for (; !all.some(isMeant) && Date.now() < end; all = await catalogs(caller)) await delay(LOOK_MS);
  const meant = all.filter(isMeant);
  const [only] = meant;
  if (!only) throw new Fault('CATALOG_NOT_FOUND', noneOf(all, named));
  if (meant.length === 1) return only.prompt_hash;
  const what = named === undefined ? 'say which catalog' : `"${named.slice(0, 80)}" is the name of several catalogs`;
  throw new Fault('REQUEST_INVALID', `${what}: give one of ${listOf(meant)}`);
}

function noneOf(all: CatalogListed[], named: string | undefined): string {
  if (all.length === 0) return 'no catalog is registered yet; register one first, which gives its prompt_hash';
  if (named !== undefined && SHORT.test(named) && all.some(({ prompt_hash }) => prompt_hash.startsWith(named)))
    return `there is no catalog named "${named}", and as a part of a prompt_hash it is too short: at least six digits are needed; there is ${listOf(all)}`;
  return `there is no catalog "${named?.slice(0, 80)}"; there is ${listOf(all)}`;
}

function listOf(catalogs: CatalogListed[]): string {
  const more = catalogs.length > MOST_NAMED ? `, and ${catalogs.length - MOST_NAMED} more` : '';
  const named = catalogs.slice(0, MOST_NAMED).map(({ name, prompt_hash }) => `${prompt_hash} (${name})`);
  return `${named.join(', ')}${more}`;
}
