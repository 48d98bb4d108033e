import { v4 as uuidv4 } from 'uuid';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { fileStores } from '../../src/activities/stores.ts';
import type { JsonObject } from '../../src/plan/json.ts';
import type { DagNode, ProgramDag, RowOp } from '../../src/program/dag.ts';
import { caller, startWorld, until } from '../support/world.ts';
import { startProgram } from '../support/start-program.ts';
import { pagedSource, pokemons } from '../activities/program/paged-source.ts';

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());
