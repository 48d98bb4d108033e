import { z } from 'zod';

/** Where the events of a plan come as they happen; undefined where there is no REST API. */
export const eventsUrl = (api: string | undefined, planId: string): string | undefined =>
  api === undefined ? undefined : `${api}/api/plans/${planId}/events`;

/** As answers of tools have it. */
export const sseUrl = z
  .string()
  .optional()
  .describe('Server-sent events of the plan, for those who have the credentials of this call; until it has ended');
