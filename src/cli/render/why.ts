import { formatDuration } from '../../plan/duration.ts';
import type { AttemptRecord } from '../../service/attempts.ts';
import type { Reason, Way } from '../../service/why.ts';
import type { Cli } from '../cli.ts';
import { answerCommand } from './commands.ts';
import { firstLines, localTime, oneLine, shellWord } from './text.ts';

const STDERR_LINES = 10;

/** A reason in words, and below it the exact commands by which it would go on. */
export function reasonLines({ text, ways, until }: Reason, planId: string, { self, out }: Pick<Cli, 'self' | 'out'>) {
  const when = until ? out.colours.dim(`  (until ${localTime(until)})`) : '';
  return [
    `- ${oneLine(text, 1_000)}${when}`,
    ...ways.map((way) => out.colours.dim(`    ${wayCommand(way, planId, { self })}`)),
  ];
}

/** The exact command. */
export function wayCommand(way: Way, planId: string, cli: Pick<Cli, 'self'>): string {
  if (way.command === 'answer') return answerCommand(cli, planId, { id: way.question, ...way });
  const more = way.command === 'release' ? ` ${shellWord(way.task)}` : '';
  const aside = way.command === 'retry' ? '  # from nothing' : '';
  return `${cli.self} ${way.command} ${planId}${more}${aside}`;
}

export function attemptLine({ attempt, started_at, ended_at, how, message }: AttemptRecord): string {
  const took = ended_at ? ` after ${formatDuration(Date.parse(ended_at) - Date.parse(started_at))}` : '';
  const end = how ? `${how}${took}${message ? `: ${oneLine(message)}` : ''}` : 'has not ended';
  return `  attempt ${attempt}, ${localTime(started_at)}: ${end}`;
}

/** The end of what a failed command wrote to stderr. */
export function stderrLines(stderr: string): string[] {
  const lines = firstLines(stderr, Number.POSITIVE_INFINITY);
  const left = lines.length - STDERR_LINES;
  return [...(left > 0 ? [`… ${left} lines before`] : []), ...lines.slice(-STDERR_LINES)].map((line) => `  ${line}`);
}
