import { basename } from 'node:path';

/** `HOLDPOINT_AGENT_COMMAND`, as words. */
export type AgentCommand = readonly string[];

/** How the agent tells what it does: as JSON with the id of its session, or as text that is its result. */
export interface AgentProtocol {
  words: string[];
  speaksJson: boolean;
}

/** `claude -p` is asked for JSON; a command that names a format of its own is taken at its word. */
export function protocolOf(command: AgentCommand): AgentProtocol {
  const at = command.findIndex((word) => word === '--output-format' || word.startsWith('--output-format='));
  const format = at < 0 ? undefined : (/=(.*)$/.exec(command[at]!)?.[1] ?? command[at + 1]);
  if (format !== undefined) return { words: [...command], speaksJson: format !== 'text' };
  const isClaude = basename(command[0]!) === 'claude' && command.some((word) => word === '-p' || word === '--print');
  if (!isClaude) return { words: [...command], speaksJson: false };
  const verbose = command.includes('--verbose') ? [] : ['--verbose'];
  return { words: [...command, '--output-format', 'stream-json', ...verbose], speaksJson: true };
}

/** The longest text that a system takes as one argument. */
export const LONGEST_ARGUMENT_BYTES = 128 * 1_024 - 1;

/** A script that becomes the agent; the text is its last argument. */
export function agentScript({ words }: AgentProtocol, text: string, session: string | undefined): string {
  const all = [
    ...words,
    ...(session === undefined ? [] : ['--resume', session]),
    ...(text.startsWith('-') ? ['--'] : []),
    text,
  ];
  return `exec ${all.map(quoted).join(' ')}\n`;
}

const quoted = (word: string): string => `'${word.replaceAll('\0', '').replaceAll("'", `'\\''`)}'`;
