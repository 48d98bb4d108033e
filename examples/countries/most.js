// The countries with most of something.
import countries from 'world-countries';

const MEASURES = {
  area: { of: ({ area }) => area, told: (area) => `${area.toLocaleString('en')} km²` },
  neighbours: { of: ({ borders }) => borders.length, told: (count) => `${count} neighbours` },
};
const [measure, top] = process.argv.slice(2);
const { of, told } = MEASURES[measure];
const most = [...countries].sort((a, b) => of(b) - of(a)).slice(0, top);
for (const country of most) console.log(`- ${country.name.common}: ${told(of(country))}`);
