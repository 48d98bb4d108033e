import type { Command } from 'commander';
import { Fault } from '../../faults.ts';
import { type Cli, printJson } from '../cli.ts';
import { findPlan } from '../find-plan.ts';
import { examples, PLAN } from '../help.ts';
import { temporalUiOf } from '../render/addresses.ts';
import { withEngine } from '../with-engine.ts';

export function addOpen(program: Command, cli: Cli): void {
  const command = program
    .command('open')
    .summary('open the page of a plan in the Temporal Web UI')
    .description('Open the page of a plan in the Temporal Web UI; where no browser can be shown, print its address.')
    .argument(...PLAN)
    .option('--print', 'only print the address')
    .option('--json', 'only print the address, as JSON')
    .action((plan: string, options: { print?: true; json?: true }) => openPage(cli, plan, options));
  examples(command, ['open 3f2b9c', 'open 3f2b9c --print']);
}

async function openPage(cli: Cli, plan: string, { print, json }: { print?: true; json?: true }): Promise<void> {
  const found = await withEngine(cli, 'open', async (engine) => {
    const id = await findPlan(engine, plan);
    // A page about no plan helps nobody.
    await engine.service.read(engine.caller, id);
    return { id, page: temporalUiOf(engine, id) };
  });
  const { page } = found;
  if (!page) throw new Fault('USAGE', 'it is not known where the Temporal Web UI of this cluster is');
  if (json) return printJson(cli, { plan_id: found.id, temporal_ui: page });
  if (print || !hasBrowser(cli.env)) return cli.out.line(page);
  cli.err.line(`opening ${page}`);
  await cli.openPage(page).catch(() => cli.out.line(page));
}

/** Whether a browser that is opened here would be seen by whoever asked. */
export function hasBrowser(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): boolean {
  if (env.CI || env.SSH_CONNECTION || env.SSH_TTY) return false;
  if (env.BROWSER === 'none') return false;
  return platform === 'darwin' || platform === 'win32' || Boolean(env.BROWSER || env.DISPLAY || env.WAYLAND_DISPLAY);
}
