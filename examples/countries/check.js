// Every country has a code of its own, an area, and neighbours that exist; gives their number.
import countries from 'world-countries';

const codes = new Set(countries.map(({ cca3 }) => cca3));
const bad = countries.filter(
  ({ cca3, area, borders }) =>
    !/^[A-Z]{3}$/.test(cca3) || !Number.isFinite(area) || borders.some((code) => !codes.has(code)),
);
if (codes.size !== countries.length || bad.length > 0) {
  console.error(`bad records: ${bad.map(({ cca3 }) => cca3).join(', ')}`);
  process.exit(1);
}
console.log(countries.length);
