// The regions of the world, one a line.
import countries from 'world-countries';

for (const region of [...new Set(countries.map(({ region }) => region))].sort()) console.log(region);
