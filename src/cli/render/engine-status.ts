import type { Cli } from '../cli.ts';
import type { EngineStatus } from '../engine-access.ts';
import { localTime } from './text.ts';

/** What is known of the home's engine, a fact per line. */
export function engineStatusLines(engine: EngineStatus, { self }: Pick<Cli, 'self'>): string[] {
  if (!engine.running) return [`no engine runs for ${engine.home}; start one with: ${self} up`];
  const { mode, pid, since, version, ready, progress, urls, home } = engine;
  const facts: [string, string | undefined][] = [
    ['Engine', `${version ?? ''} ${mode}, pid ${pid}, since ${localTime(since ?? 0)}`.trim()],
    ['Ready', ready ? 'yes' : `not yet${progress ? `: ${progress}` : ''}`],
    ['API', urls?.api],
    ['Temporal Web UI', urls?.temporalUi],
    ['Temporal', urls?.temporal],
    ['State', home],
  ];
  return facts.flatMap(([name, fact]) => (fact ? [`${name.padEnd(15)}  ${fact}`] : []));
}
