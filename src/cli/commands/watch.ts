import { once } from 'node:events';
import type { Command } from 'commander';
import { type Cli, INTERRUPTED } from '../cli.ts';
import { findPlan } from '../find-plan.ts';
import { examples, PLAN } from '../help.ts';
import { stayConnected } from '../stay-connected.ts';
import { watchPlan } from '../watch-plan.ts';
import { watchedPlan } from '../watched-plan.ts';

interface Options {
  plain?: true;
  json?: true;
}

export function addWatch(program: Command, cli: Cli): void {
  const command = program
    .command('watch')
    .summary('watch a plan until it ends, and answer what it asks')
    .description(
      'Watch a plan until it ends. On a terminal it is drawn, and can be answered, paused and stopped by keys. Exits as `run` does.',
    )
    .argument(...PLAN)
    .option('--plain', 'print lines, also on a terminal')
    .option('--json', 'print its events, and at last its result, as one JSON object per line')
    .action((plan: string, options: Options) => watch(cli, plan, options));
  examples(command, ['watch 3f2b9c', 'watch 3f2b9c --plain', 'watch 3f2b9c --json']);
}

async function watch(cli: Cli, plan: string, options: Options): Promise<void> {
  const left = new AbortController();
  const signal = AbortSignal.any([cli.interrupt(), left.signal]);
  const interrupted = once(signal, 'abort').then(() => {
    cli.err.line('');
    cli.err.line(`the plan goes on in the engine; watch it: ${cli.self} watch ${plan}`);
    return INTERRUPTED;
  });
  const watching = stayConnected(cli, 'watch', async (link) => {
    const plan_id = await link.ask((engine) => findPlan(engine, plan));
    return await watchPlan(cli, link, await watchedPlan(link, plan_id), {
      ...options,
      signal,
      leave: () => left.abort(),
    });
  });
  cli.exitCode = await Promise.race([interrupted, watching]);
}
