import type { CommandName } from '../plan/lifecycle.ts';
import type { CommandAnswer, CommandRequest } from '../service/control-plan.ts';
import { type Cli, printJson } from './cli.ts';
import { findPlan } from './find-plan.ts';
import { type Engine, withEngine } from './with-engine.ts';

export interface Sent {
  name: CommandName;
  /** The plan's id, or the beginning of it. */
  plan: string;
  request?: CommandRequest;
  /** What people are told when it took effect. */
  done: string;
}

/** Sends a command to a plan and says what became of it. */
export async function sendCommand(cli: Cli, sent: Sent, options: { json?: true }): Promise<void> {
  await withEngine(cli, sent.name, async (engine) => {
    await sendTo(cli, engine, await findPlan(engine, sent.plan), sent, options);
  });
}

/** The same on a connection that is there already, to a plan whose id is known. */
export async function sendTo(
  cli: Cli,
  engine: Engine,
  planId: string,
  sent: Sent,
  { json }: { json?: true },
): Promise<void> {
  const answer = await engine.service.command(engine.caller, planId, sent.name, sent.request);
  if (json) printJson(cli, answerJson(planId, sent.name, answer));
  else cli.out.line(`plan ${planId}: ${inWords(answer, sent.done)}`);
}

const inWords = ({ result, request_id }: CommandAnswer, done: string): string => {
  if (result === 'done') return done;
  if (result === 'accepted') return 'pausing; what runs ends first';
  return `the command is kept (${request_id}), but no worker has answered yet`;
};

const answerJson = (plan_id: string, command: CommandName, { record, ...answer }: CommandAnswer) => ({
  plan_id,
  command,
  ...answer,
  ...(record && { record: { ...record, at: new Date(record.at).toISOString() } }),
});
