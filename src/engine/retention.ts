import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { type Collected, collect } from '../activities/collect.ts';
import { fileStores } from '../activities/stores.ts';
import type { Config } from '../config.ts';
import { knownPlans } from '../service/known-plans.ts';
import { removeOldSessions } from '../service/remove-session.ts';

const DAY_MS = 86_400_000;

/** Cleans up once a day, beginning soon; gives what ends it. What goes wrong is told in the log, and harms nobody. */
export function keepClean(config: Config, client: Client, logger: Logger): () => void {
  const pass = () =>
    cleanUp(config, client)
      .then((found) => found && found.plans.length + found.artifacts > 0 && logger.info(found, SAID[config.retention]))
      .catch((error: unknown) => logger.warn({ err: error }, 'could not look for what plans have left'));
  const all = () => removeOldSessions(client, fileStores(config.home)).then(told, failed).then(pass);
  const told = (removed: number) =>
    removed > 0 && logger.info({ removed }, 'removed sessions that were over for a week');
  const failed = (error: unknown) => logger.warn({ err: error }, 'could not remove sessions that are over');
  const soon = setTimeout(all, 60_000).unref();
  const daily = setInterval(all, DAY_MS).unref();
  return () => {
    clearTimeout(soon);
    clearInterval(daily);
  };
}

const SAID = {
  report: 'left by plans that are no more; HOLDPOINT_RETENTION=remove removes it',
  remove: 'removed what plans that are no more had left',
};

/**
 * What Temporal has forgotten can never be read again, so that its files serve nobody. Where Temporal knows no plan at all it is
 * more likely another Temporal than the one these files belong to: then nothing is touched.
 */
export async function cleanUp({ home, retention }: Config, client: Client): Promise<Collected | undefined> {
  const before = Date.now() - DAY_MS;
  const known = await knownPlans(client);
  if (known.size === 0) return undefined;
  return await collect(home, { knows: (id) => known.has(id), before, remove: retention === 'remove' });
}
