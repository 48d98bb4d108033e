import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkout, type ExampleRunner, exampleRunner, taskOf } from './run-example.ts';

type Country = { name: { common: string }; region: string; area: number; cca3: string; borders: string[] };
const countries: Country[] = createRequire(import.meta.url)('world-countries');

let runner: ExampleRunner;
beforeAll(async () => {
  runner = await exampleRunner();
});
afterAll(() => runner.home.end());

test('hello.yaml says hello, and asks', async () => {
  const id = await runner.start('hello.yaml', checkout());
  expect(await runner.answer(id, 'ask', 'approve')).toBe('It said: Hello from a plan. Go on?');
  expect((await runner.ends(id)).state.status).toBe('completed');
});

test('countries.yaml reports what is in its data set', async () => {
  const id = await runner.start('countries.yaml', checkout(), { top: 3 });
  const view = await runner.ends(id);
  expect(view.error).toBe(null);
  const report = runner.log(id, 'report');
  expect(report).toContain(`# ${countries.length} countries`);
  for (const region of new Set(countries.map((country) => country.region)))
    expect(report).toContain(`| ${region} | ${countries.filter((country) => country.region === region).length} |`);
  const byArea = countries.toSorted((a, b) => b.area - a.area).slice(0, 3);
  const largest = report.split('## The largest')[1]!.split('##')[0]!.trim().split('\n');
  expect(largest).toEqual(byArea.map(({ name, area }) => `- ${name.common}: ${area.toLocaleString('en')} km²`));
  expect(report.split('## The most neighbours')[1]!.trim().split('\n')).toHaveLength(3);
});

test('regions.yaml reports on a region, and fails for one that is none', async () => {
  const directory = checkout();
  const id = await runner.start('regions.yaml', directory, { args: 'Oceania' });
  expect((await runner.ends(id)).error).toBe(null);
  const inRegion = countries.filter(({ region }) => region === 'Oceania');
  const report = readFileSync(join(directory, 'out/regions/Oceania.md'), 'utf8');
  expect(report).toContain(`# Oceania\n${inRegion.length} countries, `);
  expect(report).toContain('No neighbour on land, among others - ');
  const none = await runner.start('regions.yaml', directory, { args: 'Atlantis' });
  expect((await runner.ends(none)).state.status).toBe('failed');
});

test('borders.yaml writes a page about every region', async () => {
  const directory = checkout();
  const id = await runner.start('borders.yaml', directory);
  const view = await runner.ends(id);
  expect(view.error).toBe(null);
  const regions = [...new Set(countries.map(({ region }) => region))].sort();
  expect(taskOf(view, 'iterate').outputs).toMatchObject({ total: regions.length, succeeded: regions.length });
  for (const region of regions) {
    const own = countries.filter((country) => country.region === region);
    const pairs = own.flatMap(({ cca3, borders }) => borders.map((other) => [cca3, other].sort().join('-')));
    const page = readFileSync(join(directory, 'out/borders', `${region}.md`), 'utf8');
    expect(page).toContain(`# ${region}\n\n${new Set(pairs).size} borders`);
    expect(page.includes('LKA-IND is told by one side only')).toBe(region === 'Asia');
    const none = own.filter(({ borders }) => borders.length === 0);
    if (none.length > 0) expect(page).toContain(`| 0 | ${none.length} |`);
  }
});

test('release.yaml deploys what somebody ships, and nothing that somebody rejects', async () => {
  const shipped = await runner.start('release.yaml', checkout());
  expect(await runner.answer(shipped, 'ship_it', 'ship')).toContain('128 tests passed');
  expect(taskOf(await runner.ends(shipped), 'deploy').outputs).toMatchObject({ stdout: 'deployed' });
  const rejected = await runner.start('release.yaml', checkout());
  await runner.answer(rejected, 'ship_it', 'reject');
  expect((await runner.ends(rejected)).state.status).toBe('failed');
});
