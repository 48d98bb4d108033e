import type { Command } from 'commander';
import { Fault } from '../../faults.ts';
import { type Cli, exitOf, printJson } from '../cli.ts';
import { followPipeline } from '../follow-pipeline.ts';
import { examples } from '../help.ts';
import { limitInTheWay, withBudgetCommand } from '../limit-in-the-way.ts';
import { chatLines, endLines } from '../render/chat.ts';
import { oneLine } from '../render/text.ts';
import { unanswered } from '../unanswered.ts';
import { type Engine, withEngine } from '../with-engine.ts';

interface Options {
  resume?: true;
  retry?: true;
  dismiss?: true;
  detach?: true;
  project?: string;
  json?: true;
}

export function addChat(program: Command, cli: Cli): void {
  const command = program
    .command('chat')
    .summary('have agents work a message, or show how a chat stands')
    .description(
      'Have a pipeline of agents work a message of a chat, and show them at work until they have ended. Without a message: what was said, and how the chat stands. An interrupted pipeline goes on with the next message.',
    )
    .argument('<chat>', 'a name of your own for the chat, the same in every call')
    .argument('[message...]', 'what is wanted')
    .option('--resume', 'let the interrupted pipeline go on; no message is needed')
    .option('--retry', 'work the message of its newest pipeline afresh')
    .option('--dismiss', 'forget its interrupted pipeline')
    .option('--detach', 'do not wait for the end')
    .option('--project <name>', 'what the cost is counted for, besides the chat and the day')
    .option('--json', 'print how the chat stands as JSON')
    .action((chat: string, words: string[], options: Options) => talk(cli, chat, words.join(' '), options));
  examples(command, ['chat shop "Build a shop for tea"', 'chat shop --resume', 'chat shop']);
}

async function talk(cli: Cli, chatId: string, message: string, options: Options): Promise<void> {
  mustBeOne(message, options);
  const signal = cli.interrupt();
  await withEngine(cli, 'chat', async (engine) => {
    const isAsked = await act(engine, chatId, message, options).catch(async (refused: unknown) => {
      throw await withBudgetCommand(engine, chatId, refused, cli);
    });
    if (isAsked && !options.detach) {
      const say = (line: string) => !options.json && cli.out.line(line);
      const end = await followPipeline(engine, chatId, say, cli, signal);
      cli.exitCode = end ? EXIT[end.status ?? 'completed'] : exitOf(signal);
    }
    await show(cli, engine, chatId, isAsked, options);
  });
}

function mustBeOne(message: string, { resume, retry, dismiss }: Options): void {
  const asked = [message !== '' || resume, retry, dismiss].filter(Boolean);
  if (asked.length > 1)
    throw new Fault('USAGE', 'give one of a message (or --resume), --retry and --dismiss, and not several');
}

/** As after `run`: what the newest pipeline came to. */
const EXIT = { completed: 0, failed: 1, interrupted: 5, awaiting_checkpoint: 5, running: 0 } as const;

/** Gives whether a pipeline is at work now. */
async function act({ service, caller }: Engine, chatId: string, message: string, options: Options): Promise<boolean> {
  const { resume, retry, dismiss, project } = options;
  if (retry || dismiss) {
    const { pipelineRunId } = await service.agents.status(caller, chatId);
    if (pipelineRunId === null)
      throw new Fault(
        'REQUEST_INVALID',
        `nothing was asked in the chat ${oneLine(chatId)} yet: there is nothing to ${retry ? 'retry' : 'dismiss'}`,
      );
    if (retry) await service.agents.retry(caller, pipelineRunId);
    else await service.agents.dismiss(caller, pipelineRunId);
    return retry === true;
  }
  if (message === '' && !resume) return false;
  await service.agents.send(caller, { chatId, message, resume, projectId: project, keep: true });
  return true;
}

async function show(
  cli: Cli,
  engine: Engine,
  chatId: string,
  isAsked: boolean,
  { json, detach }: Options,
): Promise<void> {
  const { service, caller } = engine;
  const status = await service.agents.status(caller, chatId);
  const messages = await service.agents.messages(caller, chatId);
  if (json) return printJson(cli, { ...status, messages: messages.map(({ id: _, ...message }) => message) });
  const [over, then] = await Promise.all([limitInTheWay(engine, status), unanswered(engine, status)]);
  const shown = { status, messages, over, then };
  for (const line of isAsked && !detach ? endLines(shown, cli) : chatLines(shown, cli)) cli.out.line(line);
}
