import { Fault } from '../../faults.ts';
import { catalogMeant } from '../../service/execute/catalog-meant.ts';
import { type Cli, printJson } from '../cli.ts';
import { renderTable } from '../render/table.ts';
import { oneLine } from '../render/text.ts';
import { withEngine } from '../with-engine.ts';
import { registerFile } from './given-catalog.ts';

export interface CatalogOptions {
  json?: true;
}

export async function catalog(
  cli: Cli,
  action: string | undefined = 'ls',
  named: string | undefined,
  { json }: CatalogOptions,
): Promise<void> {
  if (action === 'add') return await add(cli, named, json);
  if (action === 'show') return await show(cli, named, json);
  if (named !== undefined)
    throw new Fault('USAGE', `catalog ls takes no "${named}"; see ${cli.self} plasm catalog --help`);
  const catalogs = await withEngine(cli, 'plasm catalog', ({ service, caller }) => service.execute.catalogs(caller));
  if (json) return printJson(cli, { catalogs });
  if (catalogs.length === 0)
    return cli.err.line(`no catalogs yet; register one: ${cli.self} plasm catalog add catalog.yaml`);
  const rows = catalogs.map(({ prompt_hash, name, entities, created_at }) => [
    ...[prompt_hash, oneLine(name, 40), created_at.slice(0, 16).replace('T', ' ')],
    oneLine(entities.join(', '), 60),
  ]);
  for (const line of renderTable(['PROMPT HASH', 'NAME', 'REGISTERED', 'ENTITIES'], rows)) cli.out.line(line);
}

async function add(cli: Cli, file: string | undefined, json: true | undefined): Promise<void> {
  if (file === undefined)
    throw new Fault('USAGE', `name the file of the catalog; see ${cli.self} plasm catalog --help`);
  const registered = await withEngine(cli, 'plasm catalog', (engine) => registerFile(cli, engine, file));
  if (json) return printJson(cli, registered);
  cli.out.line(registered.prompt_hash);
  const { name, entities, created } = registered;
  const what = created ? 'registered' : 'it was registered before';
  cli.err.line(cli.err.colours.dim(`${oneLine(name, 60)}: ${what}; ${oneLine(entities.join(', '), 100)}`));
}

async function show(cli: Cli, named: string | undefined, json: true | undefined): Promise<void> {
  const taught = await withEngine(cli, 'plasm catalog', async ({ service, caller }) =>
    service.execute.catalog(caller, await catalogMeant(service.execute, caller, named)),
  );
  if (json) printJson(cli, taught);
  else cli.out.line(taught.teaching.trimEnd());
}
