import { resolve } from 'node:path';
import { asFault } from '../../faults.ts';
import { removeLease, takeLease } from '../../home/leases.ts';
import type { CreateRequest } from '../../service/create-plan.ts';
import { sessionPlanId } from '../../service/ids.ts';
import { hashOfFile } from '../../service/source.ts';
import { SESSION_FORMAT } from '../../service/start-workflow.ts';
import type { Cli } from '../cli.ts';
import type { PlanArgument } from '../plan-argument.ts';
import type { Begin } from './run-session.ts';
import { newSessionId } from './session-id.ts';
import { resumeCommand } from './words.ts';

export interface NewSession {
  file: string;
  plan: PlanArgument;
  request: Pick<CreateRequest, 'inputs' | 'start_at' | 'review' | 'place' | 'worktree'>;
  /** The engine goes on with it by itself. */
  detach?: true;
  json?: true;
}

/** Starts a session; the process that called has it from now on. */
export const startSession =
  (cli: Cli, { file, plan, request, detach, json }: NewSession): Begin =>
  async (link, begun, home) => {
    const { definition, text } = plan;
    const { name } = definition;
    const path = file === '-' ? undefined : resolve(cli.directory, file);
    const { directory } = cli;
    const org_id = await link.ask(async ({ caller }) => caller.principal.org_id);
    const session_id = newSessionId(name);
    const plan_id = sessionPlanId(org_id, session_id);
    const facts = { format: SESSION_FORMAT, id: session_id, file_hash: hashOfFile(text), directory };
    const session = { ...facts, ...(path !== undefined && { file: path }) };
    if (!detach) await takeLease(home, { plan_id, session_id, org_id, directory });
    begun.session = { session_id, plan_id, file: path };
    begun.asked = true;
    try {
      await link.ask(({ service, caller }) => service.create(caller, { plan: text, plan_id, session, ...request }));
    } catch (error) {
      // What did not answer may have started it.
      if (asFault(error).code !== 'ENGINE_UNAVAILABLE') removeLease(home, plan_id);
      throw error;
    }
    if (detach) {
      cli.out.line(json ? JSON.stringify({ session_id, plan_id, name }) : plan_id);
      return undefined;
    }
    if (json) cli.out.line(JSON.stringify({ type: 'session', session_id, plan_id, file: path }));
    else cli.out.line(cli.out.colours.bold(`Starting session: ${session_id}`));
    return { plan_id, name, definition, session: { session_id, resume: resumeCommand(cli, path, session_id) } };
  };
