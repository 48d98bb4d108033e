import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Workflow code may take its time: where Node cuts it short, which the SDK asks for after 5 s, it ends the whole process
 * ("async hook stack has become corrupted", nodejs/node#38503). On a busy machine a long history is replayed for longer than that.
 */
export const TIME_FOR_CODE = { isolateExecutionTimeout: '1 hour' } as const;

/**
 * Loaded once for all workflows of a worker, and not for each of them again, which takes as long as all else that a plan begins
 * with. Libraries alone: they keep nothing of whoever calls them.
 */
export const PRELOADED = { preloadModules: ['@marcbachmann/cel-js', '@cfworker/json-schema', 'fflate', 'js-base64'] };

type Source = { workflowBundle: { codePath: string } } | { workflowsPath: string; bundlerOptions: typeof PRELOADED };

/** The workflow code that a worker runs: prebundled in a built program, bundled on the fly where the source itself runs. */
export function workflowSource(): Source & typeof TIME_FOR_CODE {
  const codePath = here('../workflow-bundle.js');
  if (existsSync(codePath)) return { ...TIME_FOR_CODE, workflowBundle: { codePath } };
  return { ...TIME_FOR_CODE, workflowsPath: here('../workflows/index.ts'), bundlerOptions: PRELOADED };
}
