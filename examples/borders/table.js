// The countries of a region by how many neighbours they have, as a table.
import countries from 'world-countries';

const counts = new Map();
for (const { region, borders } of countries)
  if (region === process.argv[2]) counts.set(borders.length, (counts.get(borders.length) ?? 0) + 1);
console.log('| neighbours | countries |\n| --- | --- |');
for (const [count, some] of [...counts].sort(([a], [b]) => b - a)) console.log(`| ${count} | ${some} |`);
