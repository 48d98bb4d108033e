import type { Place } from '../contract/payloads.ts';
import type { Caller } from '../service/caller.ts';
import type { PlanService } from '../service/service.ts';

/** For whom a server works, and how it reaches the service. */
export interface Access {
  /** Gives the service for one piece of work, as whom to call it, and where its caller reaches the REST API. */
  use<T>(
    work: (service: PlanService, caller: Caller, api: string | undefined) => Promise<T>,
    how?: {
      /** No client has asked for it: an engine that somebody has stopped is not started for it. */
      unasked?: boolean;
    },
  ): Promise<T>;
  /** Where a connection outlasts its calls: aborts when it ends. */
  connection?: AbortSignal;
  /** Recorded for plans that are made. */
  place(): Place;
  /** What went wrong inside, which callers are not told. */
  onInternal(error: unknown): void;
  version: string;
}
