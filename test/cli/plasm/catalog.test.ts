import { expect, test } from 'vitest';
import { AT, fakeCli } from '../fake-cli.ts';

const HASH = '20418c9b7cdcfeb15aa9f09e875deec9';
const one = { prompt_hash: HASH, name: 'pokedex', entities: ['Pokemon', 'Move'] };

function world(catalogs = [{ ...one, created_at: AT }]) {
  const registered: string[] = [];
  const cli = fakeCli({
    input: 'catalog: 1',
    service: {
      execute: {
        catalogs: async () => catalogs,
        catalog: async (_caller: unknown, prompt_hash: string) => ({ ...one, prompt_hash, teaching: '# pokedex\n' }),
        registerCatalog: async (_caller: unknown, text: string) => {
          registered.push(text);
          return { ...one, created: true };
        },
      } as never,
    },
  });
  return { ...cli, registered };
}

test('they are listed', async () => {
  const { run, out } = world();
  expect(await run('plasm', 'catalog')).toBe(0);
  expect(out).toEqual([
    'PROMPT HASH                       NAME     REGISTERED        ENTITIES',
    `${HASH}  pokedex  2026-01-31 09:00  Pokemon, Move`,
  ]);
});

test('one is registered, by its text, and its hash is printed', async () => {
  const { run, out, err, registered } = world();
  expect(await run('plasm', 'catalog', 'add', '-')).toBe(0);
  expect([registered, out]).toEqual([['catalog: 1'], [HASH]]);
  expect(err.join()).toContain('pokedex: registered; Pokemon, Move');
});

test.each([[[]], [['pokedex']], [[HASH.slice(0, 8)]]])('one is shown: %j', async (named) => {
  const { run, out } = world();
  expect(await run('plasm', 'catalog', 'show', ...named)).toBe(0);
  expect(out).toEqual(['# pokedex']);
});

test('where there are several, the error lists them; where there is none, it says what to do', async () => {
  const other = { ...one, prompt_hash: 'f'.repeat(32), name: 'other', created_at: AT };
  const several = world([{ ...one, created_at: AT }, other]);
  expect(await several.run('plasm', 'run', '-e', 'Pokemon')).toBe(2);
  expect(several.err.join('\n')).toContain(`${HASH} (pokedex), ${'f'.repeat(32)} (other)`);
  const none = world([]);
  expect(await none.run('plasm', 'run', '-e', 'Pokemon')).toBe(3);
  expect(none.err.join('\n')).toContain('no catalog is registered yet; register one first');
});

test.each([
  [['catalog', 'add'], 'name the file of the catalog'],
  [['catalog', 'ls', 'x'], 'catalog ls takes no "x"'],
  [['catalog', 'drop'], 'Allowed choices are ls, add, show'],
  [['run', '-e', 'x', '--wait=no'], '--wait "no": write --wait=true or --wait=false'],
  [['run', '-e', 'x', '--json', '--accept', 'plain'], 'give --json or --accept, not both'],
])('a slip is told: %j', async (args, told) => {
  const { run, err } = world();
  expect(await run('plasm', ...args)).toBe(2);
  expect(err.join('\n')).toContain(told);
});
