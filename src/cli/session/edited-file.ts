import { Fault } from '../../faults.ts';
import type { RunPreview } from '../../service/next-run.ts';
import type { Session } from '../../service/sessions.ts';
import { hashOfFile } from '../../service/source.ts';
import type { Cli } from '../cli.ts';
import { inPlanFile, readText } from '../plan-argument.ts';
import { count } from '../render/text.ts';
import type { Link } from '../stay-connected.ts';

const SHOWN = 20;

/**
 * The text of a session's file where it is not what the session was started from, and somebody has agreed to go on by it;
 * undefined where nothing has changed. Throws SESSION_FILE_EDITED when nobody has.
 */
export async function editedFile(
  cli: Cli,
  link: Link,
  session: Session,
  { yes, json }: { yes?: true; json?: true },
): Promise<string | undefined> {
  const { file, file_hash, plan_id, session_id } = session;
  if (file === undefined) return undefined;
  const text = await readText(cli, file).catch((error: unknown) => {
    if (!(error instanceof Fault) || error.code !== 'USAGE') throw error;
    cli.err.line(`${error.message}; the session goes on by the file that it was started from`);
    return undefined;
  });
  if (text === undefined || hashOfFile(text) === file_hash) return undefined;
  const preview = await inPlanFile(file, () =>
    link.ask(({ service, caller }) =>
      service.nextRun(caller, plan_id, { mode: 'resume', plan: text, dry_run: true, if_stopped: true }),
    ),
  );
  const lines = changeLines(preview as RunPreview);
  if (yes) {
    for (const line of lines) cli.err.line(line);
    return text;
  }
  if (json || !cli.ask)
    throw new Fault(
      'SESSION_FILE_EDITED',
      [
        `the file of session ${session_id} was edited since: ${file}`,
        ...lines,
        'go on by the edited file: --yes; or put back what it was',
      ].join('\n'),
    );
  cli.err.line(`The file of session ${session_id} was edited since: ${file}`);
  for (const line of lines) cli.err.line(line);
  if (await cli.ask('Go on by the edited file?')) return text;
  throw new Fault('SESSION_FILE_EDITED', 'nothing was changed; put the file back as it was, or say yes');
}

/** Which of the steps that had ended would run again. */
function changeLines({ reuse, run, reasons }: RunPreview): string[] {
  const shown = run.slice(0, SHOWN).map((id) => `  ${id}: ${reasons[id]}`);
  const more = run.length > SHOWN ? [`  … and ${run.length - SHOWN} more`] : [];
  return [`${count(reuse.length, 'finished step')} kept; ${count(run.length, 'step')} to run:`, ...shown, ...more];
}
