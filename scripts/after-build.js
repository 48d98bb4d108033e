// Bundles the workflow code, so that a worker starts without doing it, and marks the build.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

const dist = (path) => fileURLToPath(new URL(`../dist/${path}`, import.meta.url));
const { code } = await bundleWorkflowCode({
  workflowsPath: dist('workflows/index.js'),
  logger: new DefaultLogger('ERROR'),
});
writeFileSync(dist('workflow-bundle.js'), code);

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const id = createHash('sha256').update(code).digest('hex').slice(0, 12);
writeFileSync(dist('build.json'), `${JSON.stringify({ version, workflows: id })}\n`);

// In a checkout npm links the commands of every package but its own: without this, the first `npx holdpoint` would install
// the checkout into npx's cache, and build it again, before it ran it.
const bin = fileURLToPath(new URL('../node_modules/.bin', import.meta.url));
if (existsSync(bin) && !existsSync(`${bin}/holdpoint`)) symlinkSync('../../bin/holdpoint.js', `${bin}/holdpoint`);
