// Writes report.md, with tables, and chart.svg, which it shows.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawChart } from './chart.js';

const [strong, folder] = process.argv.slice(2);
const { checked, days } = JSON.parse(readFileSync(0, 'utf8'));
const { quakes, dropped } = checked;
const rows = days.map(({ outputs }) => outputs.stdout);
const named = quakes.filter(({ magnitude }) => magnitude >= strong).sort((a, b) => b.magnitude - a.magnitude);

const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
const m = (magnitude) => magnitude.toFixed(1);
const report = `# ${quakes.length.toLocaleString('en')} earthquakes, ${rows[0].day} to ${rows.at(-1).day}

![Where they were, and how many on each day](chart.svg)

## Day by day

${table(
  ['day (UTC)', 'earthquakes', 'strongest', 'deepest'],
  rows.map(({ day, count, strongest, deepest }) => [
    day,
    count,
    `M ${m(strongest.magnitude)}, ${strongest.place}`,
    `${Math.round(deepest.depth)} km, ${deepest.place}`,
  ]),
)}

## Magnitude ${strong} and more

${table(
  ['magnitude', 'place', 'depth', 'day'],
  named.map(({ magnitude, place, depth, day }) => [m(magnitude), place, `${Math.round(depth)} km`, day]),
)}

## What was dropped

${table(
  ['records', 'why'],
  Object.entries(dropped).map(([why, count]) => [count, why]),
)}

Source: U.S. Geological Survey, public domain, as kept in the package \`vega-datasets\`.
`;

mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'chart.svg'), await drawChart(quakes));
writeFileSync(join(folder, 'report.md'), report);
console.log(
  `${join(folder, 'report.md')}: ${quakes.length} earthquakes, ${named.length} of magnitude ${strong} and more`,
);
