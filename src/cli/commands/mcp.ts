import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import { thisBuild } from '../../engine/build.ts';
import { Fault } from '../../faults.ts';
import { recordPlace } from '../../service/place.ts';
import { callerFor } from '../caller.ts';
import type { Cli } from '../cli.ts';
import type { EngineConnection } from '../engine-access.ts';
import { examples } from '../help.ts';
import { sharedFor } from '../shared-for.ts';
import { connect } from '../with-engine.ts';

export function addMcp(program: Command, cli: Cli): void {
  const command = program
    .command('mcp')
    .summary('serve agents over standard input and output (MCP)')
    .description(
      'Serve the Model Context Protocol over standard input and output, for a client that starts it; the engine is started when none runs. The same tools are at /mcp of its API.',
    )
    .action(() => mcp(cli));
  examples(command, ['mcp']);
}

async function mcp(cli: Cli): Promise<void> {
  const { mcpOverStdio } = await import('../../mcp/stdio.ts');
  const report = (error: unknown) => cli.err.line(`holdpoint mcp: ${(error as Error).message}`);
  // So that the first call does not have to wait for its start.
  void connect(cli).then(({ close }) => close(), report);
  const using = sharedFor(SHARED_MS, () => connectSoon(cli));
  const usingUnasked = sharedFor(SHARED_MS, () => connect(cli, 'unless stopped'));
  await mcpOverStdio({
    async use(work, { unasked } = {}) {
      const caller = await callerFor(cli, 'mcp');
      return await (unasked ? usingUnasked : using)(({ service, urls }) =>
        work(service, caller, urls.api || undefined),
      );
    },
    place: () => recordPlace(cli.env, cli.directory),
    onInternal: report,
    version: thisBuild().version,
  });
}

/** Calls find the engine anew, as commands do: it may have been started again meanwhile, elsewhere. But many at once do so together. */
const SHARED_MS = 1_000;

/** Clients give up after a minute, and the first start on a machine may take several. */
const PATIENCE_MS = 40_000;

async function connectSoon(cli: Cli): Promise<EngineConnection> {
  const connecting = connect(cli);
  const given = new AbortController();
  const late = delay(PATIENCE_MS, 'late' as const, { signal: given.signal });
  late.catch(() => {});
  const first = await Promise.race([connecting, late]).finally(() => given.abort());
  if (first !== 'late') return first;
  // Nobody waits for it any more.
  connecting.then(({ close }) => close()).catch(() => {});
  throw new Fault('ENGINE_UNAVAILABLE', 'the engine is still being started; call again');
}
