// Bundles the built program with its libraries and compiles it ahead: a command, and an engine that was killed, is there in
// half the time when it need not find, read and compile a thousand files.
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { keep, load } from '../bin/cached.cjs';

const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const out = `${dist}bundle`;

/** What knows its place by itself, and would be mistaken in a bundle: by the end of its path, the place written otherwise. */
const PLACES = {
  '/core-bridge/common.js': [['__dirname', "require('node:path').dirname(require.resolve('@temporalio/core-bridge'))"]],
  '/worker/lib/workflow/threaded-vm.js': [
    [
      "require.resolve('./workflow-worker-thread')",
      "require('node:path').join(__dirname, '../../bin/cached.cjs'), { argv: [require('node:path').join(__dirname, 'workflow-thread.cjs')] }",
    ],
    // The thread that an engine has started first of all, see bin/cached.cjs.
    ['new node_worker_threads_1.Worker(', 'globalThis.earlyWorkflowThread?.() ?? new node_worker_threads_1.Worker('],
  ],
  // The workflow code has its own bundle, made by the build: no bundler is loaded to run it.
  '/worker/lib/workflow/bundler.js': [
    [
      "require.resolve('../workflow-log-interceptor')",
      "require.resolve('@temporalio/worker/lib/workflow-log-interceptor')",
    ],
    ['require("unionfs")', '{}'],
    ['require("memfs")', '{}'],
    ['require("webpack")', '{}'],
  ],
};

const places = {
  name: 'places',
  transform(code, id) {
    if (id.startsWith(dist))
      return code.replaceAll('import.meta.url', `new URL('../${id.slice(dist.length)}', import.meta.url).href`);
    const changes = Object.entries(PLACES).find(([end]) => id.endsWith(end))?.[1];
    return changes?.reduce((text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`${id} has no ${from} any more: see PLACES`);
      return text.replaceAll(from, to);
    }, code);
  },
};

const bundle = await rolldown({
  input: { main: `${dist}cli/main.js`, 'workflow-thread': '@temporalio/worker/lib/workflow/workflow-worker-thread.js' },
  platform: 'node',
  // Those that read files beside them, and those that make bundles.
  external: ['open', 'source-map', /\.node$/, 'webpack', 'swc-loader', 'source-map-loader'],
  plugins: [places],
});
await bundle.write({
  dir: out,
  format: 'cjs',
  entryFileNames: '[name].cjs',
  chunkFileNames: '[name].cjs',
  cleanDir: true,
});

// The program ends this process; until then all else is loaded, too.
process.argv.splice(2, Infinity, '--version');
process.stdout.write = (_text, done) => done?.();
process.once('exit', keep);
load(`${out}/main.cjs`);
for (const file of readdirSync(out)) if (file !== 'workflow-thread.cjs') load(`${out}/${file}`);
