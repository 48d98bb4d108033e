'use strict';
// Runs the bundled program with the compiled form of it that the build has kept (V8's code cache). Where that is missing, or
// of another version of Node, the code is compiled as any other.
const { readFileSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { dirname, join } = require('node:path');
const { Script, constants } = require('node:vm');
const { isMainThread, Worker } = require('node:worker_threads');

/** What each file has exported, and the script that it is. */
const loaded = new Map();

/** Gives the exports of a bundled file, as `require` does. */
function load(file) {
  const before = loaded.get(file);
  if (before) return before.module.exports;
  const script = new Script(
    `(function (exports, require, module, __filename, __dirname) {${readFileSync(file, 'utf8')}\n})`,
    {
      filename: file,
      cachedData: cacheOf(file),
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    },
  );
  const module = { exports: {} };
  loaded.set(file, { module, script });
  const outside = createRequire(file);
  const require = (id) => (id.startsWith('./') ? load(join(dirname(file), id)) : outside(id));
  script.runInThisContext()(module.exports, Object.assign(require, outside), module, file, dirname(file));
  return module.exports;
}

function cacheOf(file) {
  try {
    return readFileSync(`${file}.cache`);
  } catch {
    return undefined;
  }
}

/** Keeps the compiled form of all that has been loaded: called by the build. */
function keep() {
  for (const [file, { script }] of loaded) writeFileSync(`${file}.cache`, script.createCachedData());
}

/** Starts the thread that runs workflow code while the rest of the engine is loaded; its worker takes it, once. */
function startWorkflowThread(file) {
  let thread = new Worker(__filename, { argv: [file] });
  globalThis.earlyWorkflowThread = () => {
    const taken = thread;
    thread = undefined;
    return taken;
  };
}

module.exports = { load, keep, startWorkflowThread };
// A thread of the program is told its file.
if (!isMainThread) load(process.argv[2]);
