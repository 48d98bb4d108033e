#!/usr/bin/env node
import { existsSync } from 'node:fs';

const program = new URL('../dist/cli/main.js', import.meta.url);
if (!existsSync(program)) {
  console.error('holdpoint: the program is not built yet; run `npm ci` (or `npm run build`) in its folder first.');
  process.exit(2);
}
await import(program.href);
