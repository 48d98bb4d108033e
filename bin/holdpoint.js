#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { load, startWorkflowThread } from './cached.cjs';

const program = fileURLToPath(new URL('../dist/bundle/main.cjs', import.meta.url));
if (!existsSync(program)) {
  console.error('holdpoint: the program is not built yet; run `npm ci` (or `npm run build`) in its folder first.');
  process.exit(2);
}
if (process.argv[2] === 'up')
  startWorkflowThread(fileURLToPath(new URL('../dist/bundle/workflow-thread.cjs', import.meta.url)));
load(program);
