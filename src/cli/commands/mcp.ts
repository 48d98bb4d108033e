import type { Command } from 'commander';
import { thisBuild } from '../../engine/build.ts';
import { recordPlace } from '../../service/place.ts';
import type { Cli } from '../cli.ts';
import { examples } from '../help.ts';
import { withEngine } from '../with-engine.ts';

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

/** Every call finds the engine anew, as commands do: it may have been started again meanwhile, elsewhere. */
async function mcp(cli: Cli): Promise<void> {
  const { mcpOverStdio } = await import('../../mcp/stdio.ts');
  const report = (error: unknown) => cli.err.line(`holdpoint mcp: ${(error as Error).message}`);
  // So that the first call does not have to wait for its start.
  void withEngine(cli, 'mcp', async () => {}).catch(report);
  await mcpOverStdio({
    use: (work) => withEngine(cli, 'mcp', ({ service, caller }) => work(service, caller)),
    place: () => recordPlace(cli.env, cli.directory),
    onInternal: report,
    version: thisBuild().version,
  });
}
