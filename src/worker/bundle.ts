import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The workflow code that a worker runs: prebundled in a built program, bundled on the fly where the source itself runs. */
export function workflowSource(): { workflowBundle: { codePath: string } } | { workflowsPath: string } {
  const codePath = here('../workflow-bundle.js');
  if (existsSync(codePath)) return { workflowBundle: { codePath } };
  return { workflowsPath: here('../workflows/index.ts') };
}
