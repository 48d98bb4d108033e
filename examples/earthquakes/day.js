// What happened on one day: how many earthquakes, and the strongest and the deepest of them.
import { readFileSync } from 'node:fs';

const [day] = process.argv.slice(2);
const quakes = JSON.parse(readFileSync(0, 'utf8')).filter((quake) => quake.day === day);
const most = (measure) => quakes.reduce((most, quake) => (quake[measure] > most[measure] ? quake : most));
console.log(JSON.stringify({ day, count: quakes.length, strongest: most('magnitude'), deepest: most('depth') }));
