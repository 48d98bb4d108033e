import { type Command, Option } from 'commander';
import { Fault } from '../../faults.ts';
import { PLAN_STATUSES } from '../../plan/lifecycle.ts';
import { MOST_LISTED } from '../../service/list-limit.ts';
import type { ListRequest, PlanList } from '../../service/list-plans.ts';
import { collectText, parseCount } from '../arguments.ts';
import { type Cli, printJson } from '../cli.ts';
import { examples } from '../help.ts';
import { planListLines } from '../render/plan-list.ts';
import type { Engine } from '../with-engine.ts';
import { withEngine } from '../with-engine.ts';

interface Options extends Omit<ListRequest, 'labels' | 'needs_attention'> {
  attention?: true;
  namePrefix?: string;
  label?: string[];
  createdAfter?: string;
  createdBefore?: string;
  all?: true;
  json?: true;
}

export function addLs(program: Command, cli: Cli): void {
  const states = new Option('--state <states>', 'only plans in these states; several with commas between');
  // For help and completion alone: several may be given.
  states.argChoices = [...PLAN_STATUSES];
  const command = program
    .command('ls')
    .summary('list plans, newest first')
    .description('List plans, newest first. A new plan shows up within about a second.')
    .addOption(states)
    .option('--attention', 'only plans that wait for somebody, or failed')
    .option('--mine', 'only plans that I started')
    .option('--name <name>', 'only plans of this name')
    .option('--name-prefix <prefix>', 'only plans whose name begins with this')
    .option('--label <key=value>', 'only plans with this label; may be given several times', collectText)
    .option('--enrollment <key>', 'only plans of this enrollment')
    .option('--created-after <time>', 'only plans made after this time, such as 2026-01-31T09:00:00Z')
    .option('--created-before <time>', 'only plans made before this time')
    .option('--limit <n>', `at most this many, up to ${MOST_LISTED} (default: 50)`, parseCount)
    .option('--cursor <cursor>', 'go on where a page with the same filters ended')
    .option('--all', 'every page')
    .option('--json', 'print the list as JSON')
    .action((options: Options) => list(cli, options));
  examples(command, [
    'ls',
    'ls --attention',
    'ls --state awaiting_input,paused --mine',
    'ls --name release --label team=core --limit 5 --json',
  ]);
}

async function list(cli: Cli, { json, all, ...options }: Options): Promise<void> {
  if (all && options.limit !== undefined) throw new Fault('USAGE', '--all lists every plan: leave out --limit');
  const request = requestOf(options);
  const found = await withEngine(cli, 'ls', (engine) => (all ? everyPage(engine, request) : page(engine, request)));
  if (json) return printJson(cli, found);
  for (const line of planListLines(found.plans, cli.out.colours)) cli.out.line(line);
  if (found.plans.length === 0) cli.err.line('no plans');
  if (found.next_cursor !== null)
    cli.err.line(`there are more; go on with --cursor ${found.next_cursor}, or show all with --all`);
}

function requestOf({ attention, namePrefix, label, createdAfter, createdBefore, ...same }: Options): ListRequest {
  return {
    ...same,
    ...(attention && { needs_attention: true }),
    ...(namePrefix !== undefined && { name_prefix: namePrefix }),
    ...(label && { labels: label }),
    ...(createdAfter !== undefined && { created_after: createdAfter }),
    ...(createdBefore !== undefined && { created_before: createdBefore }),
  };
}

const page = ({ service, caller }: Engine, request: ListRequest): Promise<PlanList> => service.list(caller, request);

/** A plan that ends while pages are read may be on two of them: it is listed once. */
async function everyPage(engine: Engine, request: ListRequest): Promise<PlanList> {
  const plans = new Map<string, PlanList['plans'][number]>();
  let { cursor } = request;
  for (;;) {
    const found = await page(engine, { ...request, limit: MOST_LISTED, ...(cursor && { cursor }) });
    for (const plan of found.plans) if (!plans.has(plan.plan_id)) plans.set(plan.plan_id, plan);
    if (found.next_cursor === null) return { plans: [...plans.values()], next_cursor: null };
    cursor = found.next_cursor;
  }
}
