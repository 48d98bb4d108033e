import { Argument, type Command, Option } from 'commander';
import { Fault } from '../../faults.ts';
import type { Cli } from '../cli.ts';
import { examples } from '../help.ts';
import type { CatalogOptions } from '../plasm/catalog.ts';
import type { RunOptions } from '../plasm/run.ts';

/** What they do is loaded when it is asked for. */
export function addPlasm(program: Command, cli: Cli): void {
  const plasm = program
    .command('plasm')
    .summary('run programs over the catalog of a source')
    .description(
      'Programs read a source by the words of its catalog, with a dry run before, in the background if need be.',
    );
  addRun(plasm, cli);
  addCatalog(plasm, cli);
}

/** `--wait`, `--wait=true`, `--wait=false`. */
export function parseWait(text: string): boolean {
  if (text !== 'true' && text !== 'false')
    throw new Fault('USAGE', `--wait "${text}": write --wait=true or --wait=false`);
  return text === 'true';
}

function addRun(plasm: Command, cli: Cli): void {
  const command = plasm
    .command('run')
    .summary('run a program, dry-run it, or go on with one')
    .description(
      'Run a program, or go on with one: wait(s0_o1), cancel(s0_o1), page(s0_pg1). What is expensive goes on in the background by itself, with a handle; what has to be reviewed needs the token of its dry run, or --force.',
    )
    .argument('[file]', 'a file with the program; - or nothing is standard input')
    .option('-e, --expression <program>', 'the program itself')
    .addOption(new Option('--mode <mode>', 'plan: a dry run, which reads nothing').choices(['plan', 'run']))
    .option('--wait [true|false]', 'false: in the background; true: until it has ended, however long', parseWait)
    .option('--force', 'run it whatever its review says')
    .option('--plan-commit-ref <token>', 'the token of a dry run of the same program, such as pc0')
    .option('--catalog <catalog>', 'its prompt_hash, its name, or its file; none where there is one only')
    .option('--session <name>', 'whose handles and tokens', 'cli')
    .addOption(new Option('--accept <form>', 'how it is answered').choices(['plain', 'json', 'ndjson']))
    .option('--json', 'print the answer as JSON, as --accept json')
    .action(async (file: string | undefined, options: RunOptions) =>
      (await import('../plasm/run.ts')).run(cli, file, options),
    );
  examples(command, [
    "plasm run --mode plan -e 'Pokemon.filter{base_experience >= 300}'",
    "plasm run --wait=false --force -e 'Pokemon{id >= 300}'",
    "plasm run -e 'wait(s0_o1)'",
    "plasm run -e 'cancel(s0_o1)'",
    'plasm run --catalog pokedex.yaml program.plasm --accept ndjson',
  ]);
}

function addCatalog(plasm: Command, cli: Cli): void {
  const command = plasm
    .command('catalog')
    .summary('list, register and explain catalogs')
    .description(
      'List the catalogs of the organisation; register one from a file; show what programs over one can say.',
    )
    .addArgument(new Argument('[action]', 'ls unless said').choices(['ls', 'add', 'show']))
    .argument('[catalog]', 'of add: a file, - for standard input; of show: a prompt_hash or name')
    .option('--json', 'print it as JSON')
    .action(async (action: string | undefined, named: string | undefined, options: CatalogOptions) =>
      (await import('../plasm/catalog.ts')).catalog(cli, action, named, options),
    );
  examples(command, ['plasm catalog', 'plasm catalog add pokedex.yaml', 'plasm catalog show pokedex']);
}
