import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { Fault } from '../../faults.ts';
import type { JsonObject } from '../../plan/json.ts';
import type { PlanGraph } from '../../service/plan-graph/graph.ts';
import { collectInput } from '../arguments.ts';
import type { Cli } from '../cli.ts';
import { findPlan } from '../find-plan.ts';
import { examples } from '../help.ts';
import { readPlanArgument } from '../plan-argument.ts';
import { formatGraph, GRAPH_FORMATS, type GraphFormat } from '../render/graph/formats.ts';
import { withEngine } from '../with-engine.ts';

interface Options {
  format?: GraphFormat;
  output?: string;
  input?: JsonObject;
  json?: true;
}

export function addGraph(program: Command, cli: Cli): void {
  const command = program
    .command('graph')
    .summary('draw a plan: its tasks, and what needs what')
    .description('Draw a plan file; or a plan that runs or has ended, with where each of its tasks stands.')
    .argument('<file-or-id>', 'a plan file (- is standard input), or the id of a plan or the first 6 characters of it')
    .addOption(new Option('--format <format>', 'what to draw (default: text)').choices(GRAPH_FORMATS))
    .option('--output <file>', 'write it to this file; one that ends in .svg, .mmd or .json says the format')
    .option('--input <name=value>', 'a value for an input of the plan file; may be repeated', collectInput)
    .option('--json', 'the same as --format json')
    .action((given: string, options: Options) => graph(cli, given, options));
  examples(command, ['graph plan.yaml', 'graph plan.yaml --output plan.svg', 'graph 3f2b9c --format mermaid']);
}

async function graph(cli: Cli, given: string, options: Options): Promise<void> {
  const { output } = options;
  const format = options.format ?? (options.json ? 'json' : (formatOf(output) ?? 'text'));
  const found = isFile(cli, given) ? await graphOfFile(cli, given, options) : await graphOfPlan(cli, given);
  const text = await formatGraph(found, format, output === undefined ? cli : undefined);
  if (output === undefined) cli.out.line(text.replace(/\n$/, ''));
  else await save(cli, output, text);
}

const BY_ENDING: Record<string, GraphFormat> = {
  '.svg': 'svg',
  '.mmd': 'mermaid',
  '.mermaid': 'mermaid',
  '.json': 'json',
};
const formatOf = (output = ''): GraphFormat | undefined => BY_ENDING[extname(output).toLowerCase()];

/** What looks like an id is one, unless there is a file of that name. */
const isFile = ({ directory }: Cli, given: string): boolean =>
  given === '-' || !/^[0-9a-f-]{6,36}$/i.test(given) || existsSync(resolve(directory, given));

async function graphOfFile(cli: Cli, file: string, { input = {} }: Options): Promise<PlanGraph> {
  const { planGraph } = await import('../../service/plan-graph/graph.ts');
  return planGraph((await readPlanArgument(cli, file, input)).definition);
}

async function graphOfPlan(cli: Cli, given: string): Promise<PlanGraph> {
  const { planGraph } = await import('../../service/plan-graph/graph.ts');
  const { atWork } = await import('../../service/plan-graph/at-work.ts');
  return await withEngine(cli, 'graph', async (engine) => {
    const { service, caller } = engine;
    const id = await findPlan(engine, given);
    const [definition, { tasks }] = await Promise.all([service.definition(caller, id), service.read(caller, id)]);
    return atWork(planGraph(definition), tasks);
  });
}

async function save({ directory, err }: Cli, output: string, text: string): Promise<void> {
  try {
    await writeFile(resolve(directory, output), text);
  } catch (error) {
    throw new Fault('USAGE', `cannot write ${output}: ${(error as Error).message}`, { cause: error });
  }
  err.line(`written to ${output}`);
}
