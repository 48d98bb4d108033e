import type { ChatMessage } from '../../plan/chat.ts';
import type { Execution } from '../../service/agents/pipeline-run.ts';
import type { ChatStatus } from '../../service/agents/run-record.ts';
import type { Cli } from '../cli.ts';
import { oneLine } from './text.ts';

/** One agent as it stands. */
export function executionLine({ agentName, status, tokens, error }: Execution, { out }: Cli): string {
  const { green, red, dim } = out.colours;
  const colour = status === 'completed' ? green : status === 'failed' ? red : dim;
  const used = tokens > 0 ? dim(`  ${tokens.toLocaleString('en')} tokens`) : '';
  return `${agentName.padEnd(16)} ${colour(status)}${used}${error === undefined ? '' : `  ${oneLine(error, 200)}`}`;
}

/** What was said, and how the chat stands. */
export function chatLines(status: ChatStatus, messages: ChatMessage[], cli: Cli): string[] {
  const said = messages.flatMap(({ role, content }) => [cli.out.colours.dim(`${role}:`), content, '']);
  const agents = status.executions.filter(({ status }) => status !== 'skipped' && status !== 'pending');
  return [...said, ...agents.map((execution) => executionLine(execution, cli)), ...standing(status, cli)];
}

/** After its agents were shown at work: the answer, or what it waits for. */
export function endLines(status: ChatStatus, messages: ChatMessage[], cli: Cli): string[] {
  const answer = status.status === 'completed' && messages.findLast(({ role }) => role === 'assistant');
  return [...(answer ? ['', answer.content, ''] : []), ...standing(status, cli)];
}

function standing(status: ChatStatus, { self, out }: Cli): string[] {
  const { chatId, pendingCheckpoint: asked, errorType, message, tokens, cost, pipelineRunId } = status;
  const used = tokens > 0 ? [out.colours.dim(`${tokens.toLocaleString('en')} tokens, ${cost} in all`)] : [];
  if (asked)
    return [
      ...used,
      asked.message,
      `  ${self} answer ${pipelineRunId} ${asked.checkpointId} ${asked.options[0] ?? 'NAME=VALUE'}`,
    ];
  if (!status.live) return [`${status.status}, as it was last known: no worker answers`];
  switch (status.status) {
    case null:
      return ['nothing was asked in this chat yet'];
    case 'interrupted': {
      if (!status.interruptedPipelineId) return [...used, 'dismissed'];
      const why = message ?? (errorType === 'server_restart' ? 'the server was started again' : 'somebody paused it');
      return [
        ...used,
        `interrupted: ${why}`,
        `  ${self} chat ${chatId} --resume`,
        `  ${self} chat ${chatId} --dismiss`,
      ];
    }
    case 'failed':
      return [...used, `failed: ${message ?? 'see the plan'}`, `  ${self} chat ${chatId} --retry`];
    default:
      return [...used, status.status];
  }
}
