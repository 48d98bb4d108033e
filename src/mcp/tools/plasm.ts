import { READS } from '../annotations.ts';
import { programAnswer, programOutput } from '../program-answer.ts';
import { defineTool } from '../tool.ts';
import { programArguments, sessionMeant } from './plasm-arguments.ts';

export const plasm = defineTool({
  name: 'plasm',
  title: 'Dry-run a program',
  description: `Tells what a program over a catalog would do, and reads nothing: its steps, the verdict (ok or review, with the reasons), how often its source would be asked, and plan_commit_ref, a token that plasm_run takes for 10 minutes. plasm_catalogs teaches the language of a catalog.
Programs look like this: Pokemon.filter{base_experience >= 300}.limit(20)[id, name]. limit(n) or page_size(n) makes a read bounded, and then it needs no review.
wait and force mean nothing here. Errors: PROGRAM_INVALID, with every wrong place in details.errors; CATALOG_NOT_FOUND.`,
  annotations: READS,
  input: programArguments,
  output: programOutput,
  async run({ service, caller, place }, given) {
    const { program } = given;
    const session = await sessionMeant(service, caller, given);
    return programAnswer(await service.execute.run(caller, { ...session, program, mode: 'plan', place: place() }));
  },
});
