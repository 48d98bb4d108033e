import type { Command } from 'commander';
import { FAULTS } from '../../faults.ts';
import { runChecks } from '../checks.ts';
import { type Cli, printJson } from '../cli.ts';
import { examples } from '../help.ts';

export function addDoctor(program: Command, cli: Cli): void {
  const command = program
    .command('doctor')
    .summary('check this machine')
    .description(
      'Check all that plans need on this machine, and say what to do; exit code 6 when something is missing.',
    )
    .option('--json', 'print the checks as JSON')
    .action((options: { json?: true }) => doctor(cli, options));
  examples(command, ['doctor']);
}

async function doctor(cli: Cli, { json }: { json?: true }): Promise<void> {
  const checks = await runChecks(cli);
  const { out } = cli;
  if (json) printJson(cli, { ok: checks.every(({ ok }) => ok), checks });
  else
    for (const { name, ok, found, remedy } of checks) {
      const mark = ok ? out.colours.green('ok') : out.colours.red('!!');
      out.line(`${mark}  ${name.padEnd(15)}  ${found}${remedy ? `; ${remedy}` : ''}`);
    }
  if (checks.some(({ ok }) => !ok)) cli.exitCode = FAULTS.ENGINE_UNAVAILABLE.exit;
}
