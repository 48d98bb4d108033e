// Keeps the records that are earthquakes and make sense, in a short form; counts what it drops, and why.
import { readFileSync, writeFileSync } from 'node:fs';

const LEAST_KEPT = 0.9;
/** Whether a record breaks the rule. The first that it breaks is why it is dropped. */
const RULES = {
  'not an earthquake': ({ type }) => type !== 'earthquake',
  'without a time, a magnitude or a place': ({ time, magnitude, longitude, latitude, depth }) =>
    [time, magnitude, longitude, latitude, depth].some((value) => !Number.isFinite(value)),
  'at no place on Earth': ({ longitude, latitude, depth }) =>
    Math.abs(longitude) > 180 || Math.abs(latitude) > 90 || depth > 800,
  'located from one side only': ({ gap }) => gap > 300,
  'reported twice': ({ id }, kept) => kept.has(id),
};

const { features } = JSON.parse(readFileSync(0, 'utf8'));
const kept = new Map();
const dropped = Object.fromEntries(Object.keys(RULES).map((why) => [why, 0]));
for (const { id, properties, geometry } of features) {
  const { mag: magnitude, place, time, type, gap } = properties;
  const [longitude, latitude, depth] = geometry.coordinates;
  const record = { id, time, type, magnitude, place, longitude, latitude, depth, gap };
  const why = Object.keys(RULES).find((name) => RULES[name](record, kept));
  if (why) dropped[why] += 1;
  else kept.set(id, { day: new Date(time).toISOString().slice(0, 10), magnitude, place, longitude, latitude, depth });
}
if (kept.size < features.length * LEAST_KEPT) {
  console.error(`only ${kept.size} of ${features.length} records are any good: ${JSON.stringify(dropped)}`);
  process.exit(1);
}

const quakes = [...kept.values()];
const days = [...new Set(quakes.map(({ day }) => day))].sort();
writeFileSync(process.env.HOLDPOINT_OUTPUT, JSON.stringify({ quakes, dropped, days }));
console.log(`${features.length} records, ${kept.size} kept`);
for (const [why, count] of Object.entries(dropped)) if (count > 0) console.log(`  ${count} dropped: ${why}`);
