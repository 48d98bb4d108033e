// A row for each region, the largest first.
import countries from 'world-countries';

const regions = {};
for (const { region, area } of countries) {
  regions[region] ??= { count: 0, area: 0 };
  regions[region].count += 1;
  regions[region].area += area;
}
for (const [name, { count, area }] of Object.entries(regions).sort(([, a], [, b]) => b.area - a.area))
  console.log(`| ${name} | ${count} | ${Math.round(area).toLocaleString('en')} |`);
