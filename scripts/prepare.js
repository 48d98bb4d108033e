// Builds after an install, unless what is built is newer than its source: `npx holdpoint` prepares the checkout again
// when it is first called in it, and that should not take longer than the command.
import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const changed = (path) => statSync(`${root}/${path}`, { throwIfNoEntry: false })?.mtimeMs ?? 0;
const sources = [
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'scripts/bundle-workflows.js',
  'scripts/bundle-program.js',
  'bin/cached.cjs',
  ...readdirSync(`${root}/src`, { recursive: true }).map((path) => `src/${path}`),
];

if (Math.max(...sources.map(changed)) > changed('dist/bundle/main.cjs.cache'))
  execFileSync('npm', ['run', 'build'], { cwd: root, stdio: 'inherit' });
