import { STARTS } from '../annotations.ts';
import { pushAnswer } from '../operations.ts';
import { programAnswer, programOutput } from '../program-answer.ts';
import { defineTool } from '../tool.ts';
import { programArguments, sessionMeant } from './plasm-arguments.ts';

export const plasmRun = defineTool({
  name: 'plasm_run',
  title: 'Run a program',
  description: `Runs a program over a catalog, or goes on with one. Takes what plasm takes.
What is bounded answers with its rows. What is expensive, and everything with wait: false, is accepted as an operation with a handle: wait(s1_o1) tells how it stands, at once, and its result once it has ended, as often as you like (ask again in 3 to 5 seconds while its line has =); cancel(s1_o1) ends it and keeps what was read; page(s1_pg1) gives the rows after those of an answer.
One line tells how an operation stands: + accepted, ~ running, = nothing new, ! succeeded, x cancelled, ? failed. The lines also come as notifications/plasm/op.
Markdown shows the first rows; the linked resource has all that were read, also of an operation that runs or was cancelled.
Errors: REVIEW_REQUIRED: dry-run it with plasm and give the plan_commit_ref, or force; COMMIT_UNKNOWN, COMMIT_EXPIRED, COMMIT_MISMATCH: dry-run again; HANDLE_NOT_FOUND, HANDLE_EXPIRED; OPERATION_FAILED; PROGRAM_INVALID. A handle lives as long as its session: a day after its last use.`,
  annotations: STARTS,
  input: programArguments,
  output: programOutput,
  async run(call, given) {
    const { service, caller, place } = call;
    const { program, wait, force, plan_commit_ref } = given;
    const session = await sessionMeant(service, caller, given);
    const asked = { program, wait, force, plan_commit_ref };
    const answer = await service.execute.run(caller, { ...session, ...asked, place: place() });
    await pushAnswer(call, session, answer);
    return programAnswer(answer);
  },
});
