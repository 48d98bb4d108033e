import { join } from 'node:path';
import type { Config } from '../config.ts';
import { recordPlace } from '../service/place.ts';
import type { Pipelines } from '../service/service.ts';
import { packageRoot } from '../temporal/package-root.ts';

/** The pipelines of agents as this engine is told to make them. */
export const pipelinesOf = ({ pipelines, buildCommand }: Config): Pipelines => ({
  own: pipelines,
  shipped: join(packageRoot(), 'pipelines'),
  buildCommand,
  place: recordPlace(process.env),
});
