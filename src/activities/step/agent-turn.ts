import { writeFile } from 'node:fs/promises';
import type { AttemptInput } from '../../contract/payloads.ts';
import { type AttemptContext, TaskFailure } from '../kind.ts';
import type { BoundedLog } from '../run/bounded-log.ts';
import { type Logged, runLogged } from '../run/logged.ts';
import { agentScript, LONGEST_ARGUMENT_BYTES, protocolOf } from './agent-command.ts';
import { AgentStream } from './agent-stream.ts';
import { sessionFile } from './session-file.ts';

export interface Turn {
  code: number;
  stderr: string;
  /** Of an agent that tells what it does as JSON: its result. */
  result?: string;
  /** Of any other: what it printed. */
  stdout?: BoundedLog | undefined;
  /** Why it failed although its exit code is 0. */
  failed?: string;
}

interface TurnFiles extends Omit<Logged, 'shown' | 'stdout'> {
  stdout: string;
}

/**
 * One turn of a step's agent. It goes on in the session that this agent reported last in an earlier attempt of the same task,
 * and in no other; a session that is lost is told of in the log, and a new one begins.
 */
export async function agentTurn(
  text: string,
  part: string,
  files: TurnFiles,
  input: AttemptInput,
  context: AttemptContext,
): Promise<Turn> {
  const bytes = Buffer.byteLength(text);
  if (bytes > LONGEST_ARGUMENT_BYTES)
    throw new TaskFailure(
      `claude: with its values the text has ${bytes} bytes, and a command's argument has at most ${LONGEST_ARGUMENT_BYTES}: write long output to a file, and name the file in the text`,
      { final: 'invalid' },
    );
  const protocol = protocolOf(context.agentCommand);
  const { stdout, ...rest } = files;
  const say = (line: string) => void files.log.write(Buffer.from(`${line}\n`));
  if (!protocol.speaksJson) {
    await writeFile(files.script, agentScript(protocol, text, undefined), { mode: 0o600 });
    const ended = await runLogged({ ...rest, stdout }, context);
    return ended;
  }
  const sessions = sessionFile(context.planFolder, input.idempotency_key, input.task, part);
  for (let session = sessions.read(); ; session = undefined) {
    if (session !== undefined) say(`resuming the agent's session ${session}`);
    await writeFile(files.script, agentScript(protocol, text, session), { mode: 0o600 });
    const stream = new AgentStream((id) => sessions.write(id));
    const { code, stderr } = await runLogged({ ...rest, shown: (chunk) => stream.write(chunk) }, context).finally(() =>
      files.log.write(stream.end()),
    );
    const failed = stream.failed ?? (code === 0 && stream.result === undefined ? NO_RESULT : undefined);
    const hasFailed = code !== 0 || failed !== undefined;
    if (session === undefined || !hasFailed || !isLost(session, `${stderr}\n${failed ?? ''}`))
      return { code, stderr, result: stream.result ?? '', ...(failed !== undefined && { failed }) };
    say(`the agent does not know the session ${session} any more; it begins a new one`);
    sessions.forget();
  }
}

const NO_RESULT = 'the agent ended without a result (a JSON object with `result` in its output)';

/** Whether an agent failed because it does not have the session: it says so of this very one. */
const isLost = (session: string, told: string): boolean =>
  told.includes(session) && /\bno (conversation|session)\b|not found|not exist|unknown|expired/i.test(told);
