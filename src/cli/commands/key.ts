import type { Command } from 'commander';
import { PERMISSIONS, type Permission } from '../../service/caller.ts';
import { type Cli, printJson } from '../cli.ts';
import { examples } from '../help.ts';

interface Options {
  org: string;
  name?: string;
  permission?: string[];
  expires?: string;
  json?: true;
}

export function addKey(program: Command, cli: Cli): void {
  const command = program
    .command('key')
    .summary('make an API key')
    .description(
      'Make an API key: its entry for the file that HOLDPOINT_API_KEYS names goes to the output, and the key itself, this once, to stderr.',
    )
    .argument('<id>', 'the id of whoever is to have it')
    .requiredOption('--org <id>', 'their organisation')
    .option('--name <name>', 'their name, as others see it (default: the id)')
    .option('--permission <permission...>', `what they may do: ${PERMISSIONS.join(', ')} (default: plan:read)`)
    .option('--expires <time>', 'when the key stops to work, such as 2030-01-31T09:00:00Z (default: never)')
    .option('--json', 'print the key and its entry as JSON')
    .action((id: string, options: Options) => makeKey(cli, id, options));
  examples(command, ['key ada --org acme --permission plan:read plan:approve']);
}

async function makeKey(cli: Cli, id: string, options: Options): Promise<void> {
  const { org, name = id, permission = ['plan:read'], expires, json } = options;
  const { newKey } = await import('../../identity/new-key.ts');
  const { key, entry } = newKey({
    id,
    name,
    org_id: org,
    // Checked as part of the entry, by the rules of the file.
    permissions: permission as Permission[],
    ...(expires !== undefined && { expires_at: expires }),
  });
  if (json) return printJson(cli, { key, entry });
  cli.out.line(JSON.stringify(entry));
  cli.err.line(`the key, which is shown only now: ${key}`);
}
