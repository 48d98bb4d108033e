import { readFileSync } from 'node:fs';

export interface Build {
  version: string;
  /** Hash of the workflow code: another one may not be able to go on with open plans. */
  workflows: string;
}

/** Which build of the program this is; source that was not built has a name of its own. */
export function thisBuild(): Build {
  try {
    return JSON.parse(readFileSync(new URL('../build.json', import.meta.url), 'utf8')) as Build;
  } catch {
    return { version: '0.0.0-source', workflows: 'source' };
  }
}
