// Bundles the workflow code, so that a worker starts without doing it, and marks the build.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { PRELOADED } from '../dist/worker/bundle.js';

const dist = (path) => fileURLToPath(new URL(`../dist/${path}`, import.meta.url));
const { code } = await bundleWorkflowCode({
  workflowsPath: dist('workflows/index.js'),
  ...PRELOADED,
  logger: new DefaultLogger('ERROR'),
  // The source itself is not needed to say where a failure is.
  webpackConfigHook: (config) => ({ ...config, devtool: 'inline-nosources-source-map' }),
});
writeFileSync(dist('workflow-bundle.js'), code);

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const id = createHash('sha256').update(code).digest('hex').slice(0, 12);
writeFileSync(dist('build.json'), `${JSON.stringify({ version, workflows: id })}\n`);
