import { pack, unpack } from '../../contract/packed.ts';
import type { PlanInput } from '../../contract/payloads.ts';
import { Fault } from '../../faults.ts';
import type { JsonObject } from '../../plan/json.ts';
import { type Caller, mustHave } from '../caller.ts';
import { chargedTo } from '../charged-to.ts';
import { labelsOf } from '../labels.ts';
import type { ReadPlan } from '../plan-file.ts';
import type { PlanReader } from '../plan-reader.ts';
import { sourceOf } from '../source.ts';

export interface Edit {
  /** The edited plan file. */
  plan?: string | undefined;
  inputs?: JsonObject | undefined;
}

/** What the next run works by; undefined `labels`: as before. */
export interface Edited {
  input: Pick<PlanInput, 'definition' | 'inputs' | 'inputs_given' | 'source' | 'charged_to'>;
  labels?: Record<string, string>;
}

/**
 * A plan as its next run is to work: with an edited file, which is checked as at creation and may say anything else, or with
 * other inputs. Inputs that were given before are kept, where the file still has them; its defaults are read anew.
 */
export async function edited(
  reader: PlanReader,
  caller: Caller,
  before: PlanInput,
  { plan, inputs = {} }: Edit,
): Promise<Edited> {
  if (plan === undefined && Object.keys(inputs).length === 0) return { input: before };
  if (plan !== undefined) mustHave(caller, 'plan:create');
  const text = plan ?? (before.source && unpack(before.source).text);
  if (text === undefined)
    throw new Fault(
      'REQUEST_INVALID',
      'inputs: the file of this plan was not kept; give it as `plan`, with the inputs',
    );
  const kept = givenBefore(before);
  const read = await reader.read(caller.principal.org_id, text, inputs, kept);
  if (plan !== undefined && read.worktree && !before.place.worktree)
    throw new Fault(
      'REQUEST_INVALID',
      'worktree: the plan began without a worktree, and goes on where it began; remove the word, or create a new plan',
    );
  const inputs_given = Object.keys({ ...kept, ...inputs }).filter((name) => Object.hasOwn(read.inputs, name));
  return {
    input: {
      definition: pack(read.definition),
      inputs: read.inputs,
      inputs_given,
      ...sourceOf(text),
      charged_to: chargedAgain(read, before),
    },
    labels: labelsOf(read),
  };
}

/** A chat stays what it is; a project is the one of the edited file, where that names one. */
function chargedAgain(read: ReadPlan, { charged_to: { chat, project } = {} }: PlanInput): PlanInput['charged_to'] {
  const { charged_to } = chargedTo(read, chat === undefined ? {} : { chat });
  return project === undefined ? charged_to : { project, ...charged_to };
}

/** Older plans do not tell what was given from what was a default. */
function givenBefore({ inputs, inputs_given }: PlanInput): JsonObject {
  const values = unpack(inputs);
  const isGiven = (name: string) => inputs_given?.includes(name) ?? true;
  return Object.fromEntries(Object.entries(values).filter(([name]) => isGiven(name)));
}
