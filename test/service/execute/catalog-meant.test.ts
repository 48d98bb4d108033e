import { expect, test } from 'vitest';
import { catalogMeant } from '../../../src/service/execute/catalog-meant.ts';
import { caller } from '../../support/world.ts';

const HASH = '7a5ba239'.repeat(4);
const all = [
  { prompt_hash: HASH, name: 'pokedex', entities: [], created_at: '' },
  { prompt_hash: 'beef0000'.repeat(4), name: 'cafe', entities: [], created_at: '' },
];
const meant = (named: string) => catalogMeant({ catalogs: async () => all }, caller, named);

test.each([HASH, '7a5ba2', '7a5ba239', 'pokedex'])('%s is the catalog', async (named) => {
  expect(await meant(named)).toBe(HASH);
});

test('a name of a few digits is a name', async () => {
  expect(await meant('cafe')).toBe(all[1]!.prompt_hash);
});

test.each(['7', '7a5ba'])('%s is too short for a part of a hash, which is said', async (named) => {
  await expect(meant(named)).rejects.toMatchObject({
    code: 'CATALOG_NOT_FOUND',
    message: `there is no catalog named "${named}", and as a part of a prompt_hash it is too short: at least six digits are needed; there is ${HASH} (pokedex), ${all[1]!.prompt_hash} (cafe)`,
  });
});

test.each(['7a5c', '7a5ba3', 'digimon'])('%s is none', async (named) => {
  await expect(meant(named)).rejects.toThrow(`there is no catalog "${named}"; there is ${HASH} (pokedex)`);
});
