import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkout, type ExampleRunner, exampleRunner, ROOT, taskOf } from './run-example.ts';

let runner: ExampleRunner;
beforeAll(async () => {
  runner = await exampleRunner();
});
afterAll(() => runner.home.end());

interface Feature {
  properties: { type: string; gap: number | null; time: number; mag: number; place: string };
  geometry: { coordinates: [number, number, number] };
}

/** The same numbers, counted from the data set in another way. */
function counted() {
  const path = join(ROOT, 'node_modules/vega-datasets/data/earthquakes.json');
  const { features } = JSON.parse(readFileSync(path, 'utf8')) as { features: Feature[] };
  const others = features.filter(({ properties }) => properties.type !== 'earthquake').length;
  const kept = features.filter(
    ({ properties: { type, gap } }) => type === 'earthquake' && !(gap !== null && gap > 300),
  );
  const dayOf = ({ properties }: Feature) => Math.floor(properties.time / 86_400_000);
  const days = [...new Set(kept.map(dayOf))]
    .sort()
    .map((day) => ({ day, quakes: kept.filter((one) => dayOf(one) === day) }));
  const class_ = ({ properties: { mag } }: Feature) => (mag < 2.5 ? 0 : mag < 4.5 ? 1 : mag < 6 ? 2 : 3);
  return {
    records: features.length,
    kept: kept.length,
    others,
    rough: features.length - others - kept.length,
    strong: kept.filter(({ properties }) => properties.mag >= 5).length,
    segments: days.reduce((sum, { quakes }) => sum + new Set(quakes.map(class_)).size, 0),
    days: days.map(({ day, quakes }) => {
      const [strongest] = quakes.map(({ properties }) => properties).sort((a, b) => b.mag - a.mag);
      const deepest = Math.max(...quakes.map(({ geometry }) => geometry.coordinates[2]));
      return {
        day: new Date(day * 86_400_000).toISOString().slice(0, 10),
        count: quakes.length,
        strongest: `M ${strongest!.mag.toFixed(1)}, ${strongest!.place}`,
        deepest: `${Math.round(deepest)} km`,
      };
    }),
  };
}

test('a week of earthquakes becomes a report with the numbers of the data set and a chart of every one of them', async () => {
  const directory = checkout();
  const expected = counted();
  expect(expected).toMatchObject({ records: 1_707, kept: 1_647, others: 28, rough: 32 });

  const id = await runner.start('earthquakes.yaml', directory, { strong: 5 });
  const asked = await runner.answer(id, 'publish', 'write');
  expect(asked).toContain(`${expected.records} records, ${expected.kept} kept`);
  expect(asked).toContain(`${expected.others} dropped: not an earthquake`);
  expect(asked).toContain(`${expected.rough} dropped: located from one side only`);
  for (const { day, count } of expected.days) expect(asked).toMatch(new RegExp(`${day} +${count} earthquakes`));

  const view = await runner.ends(id);
  expect(view.state.status).toBe('completed');
  expect(taskOf(view, 'days').outputs).toMatchObject({ total: expected.days.length, succeeded: expected.days.length });
  const files = Object.keys((taskOf(view, 'report').outputs as { files: object }).files).sort();
  expect(files).toEqual(['out/earthquakes/chart.svg', 'out/earthquakes/report.md']);

  const report = readFileSync(join(directory, 'out/earthquakes/report.md'), 'utf8');
  const [byDay, strong] = report.split('\n## ').slice(1);
  const rows = byDay!.match(/^\| \d.*/gm)!.map((row) => row.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));
  expect(
    rows.map(([day, count, strongest, deepest]) => [day, Number(count), strongest, deepest!.split(',')[0]]),
  ).toEqual(expected.days.map(({ day, count, strongest, deepest }) => [day, count, strongest, deepest]));
  expect(strong!.match(/^\| \d/gm)).toHaveLength(expected.strong);
  expect(report).toContain('](chart.svg)');
  expect(report).toContain(`| ${expected.rough} | located from one side only |`);

  const chart = readFileSync(join(directory, 'out/earthquakes/chart.svg'), 'utf8');
  expect(chart.match(/aria-roledescription="circle"/g)).toHaveLength(expected.kept);
  const bars = [
    ...chart.matchAll(/aria-label="day: ([^;]+); Count of Records: (\d+);[^>]*aria-roledescription="bar"/g),
  ];
  expect(bars).toHaveLength(expected.segments);
  const heights = expected.days.map(({ day }) =>
    bars.filter(([, found]) => found === day).reduce((sum, [, , count]) => sum + Number(count), 0),
  );
  expect(heights).toEqual(expected.days.map(({ count }) => count));
  for (const count of heights) expect(chart).toContain(`>${count}</text>`);
});

test('somebody who rejects the numbers gets no report', async () => {
  const directory = checkout();
  const id = await runner.start('earthquakes.yaml', directory);
  await runner.answer(id, 'publish', 'reject');
  const view = await runner.ends(id);
  expect(view).toMatchObject({
    state: { status: 'failed' },
    error: { message: expect.stringContaining('rejected by') },
  });
  expect(existsSync(join(directory, 'out'))).toBe(false);
});
