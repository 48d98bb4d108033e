import { type Command, Option } from 'commander';
import { Fault } from '../../faults.ts';
import type { Limits } from '../../plan/ledger.ts';
import { amount } from '../../plan/limits.ts';
import type { LimitsView } from '../../service/limits.ts';
import { type Cli, printJson } from '../cli.ts';
import { examples } from '../help.ts';
import { renderTable } from '../render/table.ts';
import { withEngine } from '../with-engine.ts';

/** As it is typed: an option's value cannot be null. */
export type TypedLimit = number | 'none';
type Options = Partial<Record<keyof Limits, TypedLimit>> & { json?: true };

/** Throws USAGE. */
function parseLimit(option: string, text: string): TypedLimit {
  if (text === 'none') return text;
  if (!/^\d+(\.\d+)?$/.test(text)) throw new Fault('USAGE', `${option} "${text}": give a number, 0 or more, or none`);
  return Number(text);
}

/** One whose value is a limit. */
export const limitOption = (name: string, description: string): Option =>
  new Option(`${name} <number>`, description).argParser((text) => parseLimit(name, text));

export function addLimits(program: Command, cli: Cli): void {
  const command = program
    .command('limits')
    .summary('show or change what may be spent on models')
    .description(
      'Show what the organisation may spend on language models, and has spent today (UTC); with options, change it.',
    )
    .addOption(limitOption('--max-tokens-per-chat', 'tokens of one chat, in and out together; none lifts the limit'))
    .addOption(limitOption('--max-tokens-per-day', 'tokens of one day'))
    .addOption(limitOption('--max-cost-per-day', 'money of one day, in the currency of the model profiles'))
    .addOption(limitOption('--max-cost-per-project', 'money of one project'))
    .option('--json', 'print them as JSON')
    .action((options: Options) => limits(cli, options));
  examples(command, ['limits', 'limits --max-tokens-per-chat 500000', 'limits --max-cost-per-day none']);
}

export const limitMeant = (typed: TypedLimit | undefined): number | null | undefined =>
  typed === 'none' ? null : typed;

async function limits(cli: Cli, { json, ...typed }: Options): Promise<void> {
  const change: Partial<Limits> = Object.fromEntries(
    Object.entries(typed).map(([name, limit]) => [name, limitMeant(limit)]),
  );
  const view = await withEngine(cli, 'limits', ({ service, caller }) =>
    Object.keys(change).length > 0 ? service.setLimits(caller, change) : service.limits(caller),
  );
  if (json) printJson(cli, view);
  else for (const line of limitLines(view)) cli.out.line(line);
}

const shown = (limit: number | null): string => (limit === null ? 'none' : amount(limit));

function limitLines({ limits, spent: { today } }: LimitsView): string[] {
  const { maxTokensPerChat, maxTokensPerDay, maxCostPerDay, maxCostPerProject } = limits;
  return renderTable(
    ['LIMIT', 'AT MOST', 'SPENT TODAY'],
    [
      ['tokens per day', shown(maxTokensPerDay), amount(today.tokens)],
      ['cost per day', shown(maxCostPerDay), amount(today.cost)],
      ['tokens per chat', shown(maxTokensPerChat), ''],
      ['cost per project', shown(maxCostPerProject), ''],
    ],
  );
}
