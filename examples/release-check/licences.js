// Every package that is installed with this one has a licence that allows its use in anything.
import { readFileSync } from 'node:fs';

const ALLOWED = [
  'MIT',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'CC-BY-4.0',
  'Unlicense',
];

/** Told by their LICENSE files alone. */
const READ = { unionfs: 'Unlicense' };

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const installed = Object.entries(packages).filter(([path, { dev, link }]) => path !== '' && !dev && !link);
const counts = {};
const refused = [];
for (const [path, { version, license: told }] of installed) {
  const name = path.split('node_modules/').at(-1);
  const license = told ?? READ[name] ?? 'none';
  counts[license] = (counts[license] ?? 0) + 1;
  if (!isAllowed(license)) refused.push(`${name}@${version} (${license})`);
}
if (refused.length > 0) {
  console.error(`licences that nobody has allowed: ${refused.join(', ')}`);
  process.exit(1);
}
const most = Object.entries(counts).sort(([, a], [, b]) => b - a);
console.log(`${installed.length} packages: ${most.map(([license, count]) => `${count} ${license}`).join(', ')}`);

/** Of `A OR B` one has to be allowed, of `A AND B` both. */
function isAllowed(license) {
  const choices = license.replace(/[()]/g, '').split(' OR ');
  return choices.some((choice) => choice.split(' AND ').every((name) => ALLOWED.includes(name)));
}
