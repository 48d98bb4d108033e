import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { catalogMeant } from '../../service/execute/catalog-meant.ts';
import type { CatalogRegistered } from '../../service/execute/catalogs.ts';
import type { Cli } from '../cli.ts';
import { readText } from '../plan-argument.ts';
import type { Engine } from '../with-engine.ts';
import { inText } from './text-fault.ts';

/** The catalog that `--catalog` names: a file, which is registered, or a prompt_hash or name; without it the only one there is. */
export async function givenCatalog(cli: Cli, engine: Engine, named: string | undefined): Promise<string> {
  if (named !== undefined && existsSync(resolve(cli.directory, named)))
    return (await registerFile(cli, engine, named)).prompt_hash;
  return await catalogMeant(engine.service.execute, engine.caller, named);
}

export async function registerFile(cli: Cli, { service, caller }: Engine, file: string): Promise<CatalogRegistered> {
  const text = await readText(cli, file, 'catalog');
  return await inText(file, () => service.execute.registerCatalog(caller, text));
}
