import type { ChatMessage } from '../../plan/chat.ts';
import { amount } from '../../plan/limits.ts';
import type { Execution } from '../../service/agents/pipeline-run.ts';
import type { ChatStatus } from '../../service/agents/run-record.ts';
import type { Cli } from '../cli.ts';
import { type Over, raiseBudgetCommand, raiseCommand } from './raise-limit.ts';
import { oneLine, shellWord } from './text.ts';

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
}

/** What was said, and how the chat stands. */
export function chatLines({ status, messages, over }: Shown, cli: Cli): string[] {
  const said = messages.flatMap(({ role, content }) => [cli.out.colours.dim(`${role}:`), content, '']);
  const agents = status.executions.filter(({ status }) => status !== 'skipped' && status !== 'pending');
  return [...said, ...agents.map((execution) => executionLine(execution, cli)), ...standing(status, over, cli)];
}

/** After its agents were shown at work: the answer, or what it waits for. */
export function endLines({ status, messages, over }: Shown, cli: Cli): string[] {
  const answer = status.status === 'completed' && messages.findLast(({ role }) => role === 'assistant');
  return [...(answer ? ['', answer.content, ''] : []), ...standing(status, over, cli)];
}

function standing(status: ChatStatus, over: Over | undefined, cli: Cli): string[] {
  const { pendingCheckpoint: asked, errorType, message, pipelineRunId } = status;
  const chat = `  ${cli.self} chat ${shellWord(status.chatId)}`;
  const used = usedLines(status, cli);
  if (asked)
    return [
      ...used,
      asked.message,
      `  ${cli.self} answer ${pipelineRunId} ${asked.checkpointId} ${asked.options[0] ?? 'NAME=VALUE'}`,
    ];
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
