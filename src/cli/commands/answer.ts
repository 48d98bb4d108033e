import type { Command } from 'commander';
import type { JsonObject } from '../../plan/json.ts';
import { parseAnswer, typedValues } from '../arguments.ts';
import type { Cli } from '../cli.ts';
import { findPlan } from '../find-plan.ts';
import { examples, PLAN } from '../help.ts';
import { sendTo } from '../send-command.ts';
import { type Engine, withEngine } from '../with-engine.ts';

interface Options {
  comment?: string;
  json?: true;
}

/** Values are typed as text; the form says what they are. */
async function typed({ service, caller }: Engine, id: string, name: string, values: JsonObject | undefined) {
  if (!values) return {};
  const { questions } = await service.read(caller, id);
  const form = questions.find((question) => question.id === name || question.task === name)?.form;
  return { values: form ? typedValues(values, form) : values };
}

export function addAnswer(program: Command, cli: Cli): void {
  const command = program
    .command('answer')
    .summary('answer an open question of a plan')
    .description('Answer an open question of a plan.')
    .argument(...PLAN)
    .argument('<question>', 'the question, or its task')
    .argument('<answer...>', 'the option chosen, or NAME=VALUE for each field of a form')
    .option('--comment <text>', 'kept with the answer')
    .option('--json', 'print the outcome, with the record of the answer, as JSON')
    .action(async (plan: string, question: string, words: string[], { comment, ...options }: Options) => {
      const given = { question, ...parseAnswer(words), comment };
      await withEngine(cli, 'answer', async (engine) => {
        const id = await findPlan(engine, plan);
        const request = { ...given, ...(await typed(engine, id, question, given.values)) };
        const done = `${question} answered with ${words.join(' ')}`;
        await sendTo(cli, engine, id, { name: 'answer', plan, request, done }, options);
      });
    });
  examples(command, ['answer 3f2b9c ship_it.1 ship', 'answer 3f2b9c details version=1.2 channel=beta']);
}
