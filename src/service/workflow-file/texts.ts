import { referencesIn } from '../../plan/step/references.ts';
import type { Path } from '../plan-file/plain-json.ts';
import type { Report } from '../plan-file/problems.ts';
import { VALUES_REFUSED } from './words.ts';

/** Refuses by name the values that texts of such files may read elsewhere, and not here; all other names may be bash's own. */
export function checkText(text: string, path: Path, report: Report): void {
  for (const { written, path: names } of referencesIn(text)) {
    const [root, field] = names as [string, string?];
    const at = { within: written };
    if (field !== undefined && Object.hasOwn(VALUES_REFUSED, root))
      report.problem(path, `${written} ${VALUES_REFUSED[root]}`, at);
    else if (root === 'step' && field !== undefined && !['index', 'name'].includes(field))
      report.problem(path, `${written} ${VALUES_REFUSED.workflow}`, at);
  }
  // With a digit, a blank or a sign behind the colon it is bash's own.
  for (const [written, what] of text.matchAll(/(?<!\\)\$\{(file|cmd|json):[^}\d\s?=+-][^}]*\}/g))
    report.problem(path, `${written} is not supported: ${INSTEAD[what!]}`, { within: written });
}

const INSTEAD: Record<string, string> = {
  file: 'read the file in the shell, as in "$(cat PATH)", or with `capture` in a step before',
  cmd: 'run the command in the shell, as in "$(COMMAND)", or with `capture` in a step before',
  json: 'capture with `capture_format: json`, and read `${NAME.field}`',
};
