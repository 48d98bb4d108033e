import type { ChatMessage } from '../../plan/chat.ts';
import { amount } from '../../plan/limits.ts';
import type { Execution } from '../../service/agents/pipeline-run.ts';
import type { ChatStatus } from '../../service/agents/run-record.ts';
import type { Cli } from '../cli.ts';
import { type Over, raiseBudgetCommand, raiseCommand } from './raise-limit.ts';
import { localTime, oneLine, shellWord } from './text.ts';

/** One agent as it stands. */
export function executionLine({ agentName, status, tokens, error }: Execution, { out }: Cli): string {
  const { green, red, dim } = out.colours;
  const colour = status === 'completed' ? green : status === 'failed' ? red : dim;
  const used = tokens > 0 ? dim(`  ${tokens.toLocaleString('en')} tokens`) : '';
  return `${agentName.padEnd(16)} ${colour(status)}${used}${error === undefined ? '' : `  ${oneLine(error, 200)}`}`;
}

/** How a chat stands. */
export interface Shown {
  status: ChatStatus;
  messages: ChatMessage[];
  /** The limit that holds its pipeline. */
  over: Over | undefined;
  /** What comes of its question when nobody answers in time. */
  then?: string | undefined;
}

/** What was said, and how the chat stands. */
export function chatLines(shown: Shown, cli: Cli): string[] {
  const { status, messages } = shown;
  const said = messages.flatMap(({ role, content }) => [cli.out.colours.dim(`${role}:`), content, '']);
  const agents = status.executions.filter(({ status }) => status !== 'skipped' && status !== 'pending');
  return [...said, ...agents.map((execution) => executionLine(execution, cli)), ...standing(shown, cli)];
}

/** After its agents were shown at work: the answer, or what it waits for. */
export function endLines(shown: Shown, cli: Cli): string[] {
  const { status, messages } = shown;
  const answer = status.status === 'completed' && messages.findLast(({ role }) => role === 'assistant');
  return [...(answer ? ['', answer.content, ''] : []), ...standing(shown, cli)];
}

function standing({ status, over, then }: Shown, cli: Cli): string[] {
  const { pendingCheckpoint: asked, errorType, message, pipelineRunId } = status;
  const chat = `  ${cli.self} chat ${shellWord(status.chatId)}`;
  const used = usedLines(status, cli);
  if (asked) return [...used, ...questionLines(asked, `${cli.self} answer ${pipelineRunId}`, then)];
  if (!status.live) return [`${status.status}, as it was last known: no worker answers`];
  switch (status.status) {
    case null:
      return ['nothing was asked in this chat yet'];
    case 'interrupted': {
      if (!status.interruptedPipelineId) return [...used, 'dismissed'];
      const why = message ?? (errorType === 'server_restart' ? 'the server was started again' : 'somebody paused it');
      const goOn = over ? raising(over, status.interruptedPipelineId, `${chat} --resume`, cli) : [`${chat} --resume`];
      return [...used, `interrupted: ${why}`, ...goOn, `${chat} --dismiss`];
    }
    case 'failed':
      return [...used, `failed: ${message ?? 'see the plan'}`, `${chat} --retry`];
    default:
      return [...used, status.status];
  }
}

/** A question, with a command for each answer. */
function questionLines({ message, checkpointId, options, expiresAt }: Asked, answer: string, then?: string): string[] {
  const answers = options.length > 0 ? options.map(shellWord) : ['NAME=VALUE'];
  const late = expiresAt === null ? [] : [`without an answer by ${localTime(expiresAt)}${outcome(then, options)}`];
  return [message, ...answers.map((word) => `  ${answer} ${shellWord(checkpointId)} ${word}`), ...late];
}
type Asked = NonNullable<ChatStatus['pendingCheckpoint']>;

function outcome(then: string | undefined, options: string[]): string {
  if (then === undefined) return ' its time is over';
  if (options.includes(then)) return `: ${then}`;
  return then === 'hold' ? ' it still waits' : ' it fails';
}

/** Models without prices cost nothing that anybody knows of. */
function usedLines({ tokens, cost }: ChatStatus, { out }: Cli): string[] {
  if (tokens === 0) return [];
  const money = cost > 0 ? `, cost ${amount(cost)}` : '';
  return [out.colours.dim(`${tokens.toLocaleString('en')} tokens${money} in all`)];
}

/** First the limit is raised, then it goes on; a budget's command does both. */
function raising(over: Over, runId: string, resume: string, cli: Cli): string[] {
  const raise = raiseCommand(over, cli);
  return raise ? [`  ${raise}`, resume] : [`  ${raiseBudgetCommand(over, runId, cli)}`];
}
