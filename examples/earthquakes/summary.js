// A table for whoever has to decide.
import { readFileSync } from 'node:fs';

const days = JSON.parse(readFileSync(0, 'utf8')).map(({ outputs }) => outputs.stdout);
for (const { day, count, strongest } of days)
  console.log(
    `${day} ${String(count).padStart(4)} earthquakes, M ${strongest.magnitude.toFixed(1)} ${strongest.place}`,
  );
