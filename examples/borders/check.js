// How many borders lie in a region or lead out of it, and which of them only one of the two countries knows of.
import countries from 'world-countries';

const byCode = new Map(countries.map((country) => [country.cca3, country]));
const own = countries.filter(({ region }) => region === process.argv[2]);
const pairs = own.flatMap(({ cca3, borders }) => borders.map((code) => [cca3, code]));
const nowhere = pairs.filter(([, to]) => !byCode.has(to));
if (own.length === 0 || nowhere.length > 0) {
  console.error(`no such country or region: ${nowhere.map(([, to]) => to).join(', ') || process.argv[2]}`);
  process.exit(1);
}
const oneSided = pairs.filter(([from, to]) => !byCode.get(to).borders.includes(from));
const count = new Set(pairs.map((pair) => pair.toSorted().join('-'))).size;
console.log([`${count} borders`, ...oneSided.map((pair) => `${pair.join('-')} is told by one side only`)].join('; '));
