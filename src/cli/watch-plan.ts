import type { PlanDefinition } from '../plan/definition.ts';
import type { PlanEvent } from '../plan/events.ts';
import type { PlanStatus } from '../plan/lifecycle.ts';
import type { ReadPlan } from '../service/read-plan.ts';
import { type Cli, INTERRUPTED } from './cli.ts';
import { type Ending, followPlan } from './follow-plan.ts';
import { temporalUiOf } from './render/addresses.ts';
import { endingLine } from './render/ending.ts';
import { tellProgress } from './render/progress.ts';
import { oneLine } from './render/text.ts';
import type { Link } from './stay-connected.ts';

interface Watched {
  plan_id: string;
  definition: PlanDefinition;
}

/** Tells how a plan goes until its run ends; gives the exit code. */
export async function watchPlan(
  cli: Cli,
  link: Link,
  plan: Watched,
  { json, signal }: { json?: true; signal: AbortSignal },
): Promise<number> {
  const teller = json ? tellAsJson(cli, plan) : await tellInWords(cli, link, plan);
  const ending = await followPlan({ link, planId: plan.plan_id, signal, ...teller });
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

async function tellInWords(cli: Cli, link: Link, plan: Watched): Promise<Teller> {
  const { out, err, self } = cli;
  const { plan_id, definition } = plan;
  const teller = tellProgress(plan, cli);
  out.line(`plan ${out.colours.bold(plan_id)}  ${oneLine(definition.name)}`);
  const page = await link.ask(async (engine) => temporalUiOf(engine, plan_id));
  for (const place of [`${self} show ${plan_id}`, page]) if (place) out.line(out.colours.dim(`  watch it: ${place}`));
  return {
    needsView: teller.needsView,
    show(event, view) {
      for (const line of teller.lines(event, view)) out.line(line);
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
