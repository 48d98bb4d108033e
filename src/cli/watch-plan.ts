import type { PlanDefinition } from '../plan/definition.ts';
import type { PlanEvent } from '../plan/events.ts';
import type { PlanStatus } from '../plan/lifecycle.ts';
import type { ReadPlan } from '../service/read-plan.ts';
import { type Cli, INTERRUPTED } from './cli.ts';
import { type Ending, followPlan } from './follow-plan.ts';
import { temporalUiOf } from './render/addresses.ts';
import { endingLine } from './render/ending.ts';
import { needsView, tellProgress } from './render/progress.ts';
import { oneLine } from './render/text.ts';
import { stayConnected } from './stay-connected.ts';
import type { Engine } from './with-engine.ts';

interface Watched {
  plan_id: string;
  definition: PlanDefinition;
}

/** The view of a plan larger than this costs more to read again and again than its commands' outputs are worth. */
const MOST_TASKS_READ = 1_000;

/** Tells how a plan goes until its run ends; gives the exit code. */
export async function watchPlan(
  cli: Cli,
  engine: Engine,
  plan: Watched,
  { json, signal }: { json?: true; signal: AbortSignal },
): Promise<number> {
  const teller = json ? tellAsJson(cli, plan) : tellInWords(cli, engine, plan);
  const ending = await followPlan({ link: stayConnected(cli, engine), planId: plan.plan_id, signal, ...teller });
  if (!ending) return INTERRUPTED;
  teller.end(ending);
  return EXIT_CODES[ending.state.status] ?? 0;
}

const EXIT_CODES: Partial<Record<PlanStatus, number>> = { completed: 0, failed: 1, stopped: 8 };

interface Teller {
  needsView(event: PlanEvent): boolean;
  show(event: PlanEvent, view: ReadPlan | undefined): void;
  end(ending: Ending): void;
}

function tellInWords(cli: Cli, engine: Engine, plan: Watched): Teller {
  const { out, err, self } = cli;
  const { plan_id, definition } = plan;
  const { name, tasks } = definition;
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const linesOf = tellProgress(plan, cli);
  out.line(`plan ${out.colours.bold(plan_id)}  ${oneLine(name)}`);
  const page = temporalUiOf(engine, plan_id);
  for (const place of [`${self} show ${plan_id}`, page]) if (place) out.line(out.colours.dim(`  watch it: ${place}`));
  return {
    needsView: (event) => tasks.length <= MOST_TASKS_READ && needsView(event, byId.get(event.task ?? '')),
    show(event, view) {
      for (const line of linesOf(event, view)) out.line(line);
    },
    end(ending) {
      out.line(endingLine(ending, out.colours));
      if (ending.state.status === 'completed') return;
      err.line(`see it:       ${self} show ${plan_id}`);
      err.line(`go on:        ${self} resume ${plan_id}  (finished work is kept)`);
      err.line(`from nothing: ${self} retry ${plan_id}`);
    },
  };
}

/** One object per line: the events as they are, and at last how the run ended. */
function tellAsJson({ out }: Cli, { plan_id }: Watched): Teller {
  const line = (value: object) => out.line(JSON.stringify(value));
  return {
    needsView: () => false,
    show: (event) => line({ ...event, at: new Date(event.at).toISOString() }),
    end: ({ state, error, totals }) => line({ type: 'result', plan_id, state, error, totals }),
  };
}
