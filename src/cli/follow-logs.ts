import { asFault, Fault } from '../faults.ts';
import type { LogNews, LogPosition } from '../service/follow-logs.ts';
import type { PlanService } from '../service/service.ts';
import type { Cli } from './cli.ts';
import type { LogOptions } from './commands/logs.ts';
import { findPlan } from './find-plan.ts';
import { logPrinter } from './render/log-lines.ts';
import { type Link, stayConnected } from './stay-connected.ts';

/** Prints what tasks write as they write it, over engines that come and go, until nothing more can come. */
export async function followLogs(
  cli: Cli,
  plan: string,
  task: string | undefined,
  options: LogOptions,
  signal: AbortSignal,
): Promise<void> {
  const print = logPrinter(cli, { named: task === undefined, json: options.json });
  await stayConnected(cli, 'logs', async (link) => {
    const planId = await link.ask((engine) => findPlan(engine, plan));
    for await (const news of newsOf(link, planId, task, options, signal)) {
      if (signal.aborted) return;
      if (news.is === 'output') await print.piece(news, news);
      else await print.end();
    }
  });
  if (!print.any() && !signal.aborted)
    cli.err.line(task === undefined ? 'no task has written anything' : `task ${task} has no output`);
}

/** The service's own news; where an engine is lost, the next one goes on where it was. */
async function* newsOf(
  link: Link,
  planId: string,
  task: string | undefined,
  { run, attempt, tail }: LogOptions,
  signal: AbortSignal,
): AsyncGenerator<LogNews> {
  const seen = new Map<string, LogPosition>();
  let from: PlanService | undefined;
  let news: AsyncGenerator<LogNews, void>;
  let begun = false;
  for (;;) {
    const next = await link.ask(async ({ service, caller }) => {
      if (from !== service)
        news = service.followLogs(caller, planId, { task, run, attempt, tail, seen: [...seen.values()], signal });
      from = service;
      try {
        return await news.next();
      } catch (error) {
        from = undefined;
        throw begun ? notItsServer(error) : error;
      }
    });
    if (next.done) return;
    begun = true;
    const { value } = next;
    if (value.is === 'output') {
      const { is: _, text: __, next: offset, ...log } = value;
      seen.set([log.task, log.run, log.attempt, log.dispatch, log.again].join(' '), { ...log, offset });
    }
    yield value;
  }
}

/** A plan that was there is not gone: another home's server has taken the port of the one that has it. */
const notItsServer = (error: unknown): unknown =>
  asFault(error).code === 'PLAN_NOT_FOUND'
    ? new Fault('ENGINE_UNAVAILABLE', 'another server answers at the address of the one that has the plan')
    : error;
