import { createHash } from 'node:crypto';
import { STEP_KINDS } from '../../activities/kinds.ts';
import type { CommandWords, StepWords } from '../../activities/step/step-words.ts';
import type { PlanDefinition, TaskDefinition } from '../../plan/definition.ts';
import { STEP_WHEN } from '../../plan/expression.ts';
import { withFingerprints } from '../../plan/fingerprint.ts';
import type { Json } from '../../plan/json.ts';
import { ITERATION, referencesIn } from '../../plan/step/references.ts';
import type { Earlier } from '../../plan/step/variables.ts';
import { whenReads } from '../../plan/step/when.ts';
import type { Step } from './steps.ts';

/** What a workflow file says, read and found right. */
export interface Workflow {
  name: string;
  description?: string;
  env: Record<string, string>;
  env_file: string[];
  secrets: string[];
  steps: Step[];
}

type Unmarked = Omit<TaskDefinition, 'fingerprint'>;

/** Its steps as tasks, each after the one before. `given`: whether there is something that `$ARG` and its like stand for. */
export function defineSteps(workflow: Workflow, given: boolean): PlanDefinition {
  const { name, description, env, steps } = workflow;
  const tasks = steps.map((_, i) => defineStep(workflow, i, given));
  return {
    schema_version: 1,
    name,
    ...(description !== undefined && { description }),
    max_parallel: 1,
    ...(Object.keys(env).length > 0 && { env }),
    tasks: marked(tasks, env),
  };
}

const marked = (tasks: Unmarked[], env: Record<string, string> = {}): TaskDefinition[] =>
  withFingerprints(tasks, {
    sha256: (text) => createHash('sha256').update(text).digest('hex'),
    kindVersion: (kind) => STEP_KINDS.find(({ key }) => key === kind)?.version ?? 1,
    inputsOf: () => ({}),
    env,
  });

function defineStep({ steps, env, env_file, secrets }: Workflow, i: number, given: boolean): Unmarked {
  const { task, name, command, when, retry } = steps[i]!;
  const names = new Set([
    ...[...textsOf(command), ...Object.values(env)].flatMap((text) => referencesIn(text).map(({ path }) => path[0]!)),
    ...(when === undefined ? [] : whenReads(when)),
  ]);
  const uses = readBy(names, steps, i);
  const before = uses.map((j) => earlierOf(steps[j]!));
  // A skipped step would skip what follows: the file's steps go on.
  const condition =
    when !== undefined ? conditionOf(when, before, given) : steps[i - 1]?.when !== undefined ? 'true' : undefined;
  // With handlers the limit is the command's own; else it is the attempt's, and known as a time-out.
  const { timeout_ms, ...untimed } = command;
  const handles =
    command.on_failure !== undefined || command.on_success !== undefined || command.allow_failure === true;
  const words: StepWords = {
    command: handles ? command : untimed,
    step: { index: i + 1, name },
    before,
    ...(env_file.length > 0 && { env_file }),
    ...(secrets.length > 0 && { secrets }),
  };
  return {
    id: task,
    kind: command.does,
    mode: 'activity',
    needs: i > 0 ? [i - 1] : [],
    uses,
    inputs: [],
    with: words as unknown as Json,
    ...(condition !== undefined && { if: condition }),
    ...(when !== undefined && { if_text: when }),
    ...(timeout_ms !== undefined && !handles && { timeout_ms }),
    retry,
    on_failure: 'fail',
  };
}

const earlierOf = ({ task, command: { does, id } }: Step): Earlier => ({ task, does, ...(id !== undefined && { id }) });

/** The steps that set what is read: of each name the last, and those before it as far as that one may leave none. */
function readBy(names: ReadonlySet<string>, steps: Step[], i: number): number[] {
  const found = new Set<number>();
  for (const name of names)
    for (let j = i - 1; j >= 0; j--) {
      const { command, when } = steps[j]!;
      const always = ownNames(command).includes(name);
      if (!always && !handlersOf(command).some((one) => allNames(one).includes(name))) continue;
      found.add(j);
      if (always && when === undefined) break;
    }
  return [...found].sort((a, b) => a - b);
}

const ownNames = ({ does, id, capture }: CommandWords): string[] => [
  does,
  'last',
  ...(id === undefined ? [] : [id]),
  ...(capture ? [capture.name] : []),
];

const allNames = (command: CommandWords): string[] => [...ownNames(command), ...handlersOf(command).flatMap(allNames)];

const handlersOf = ({ on_failure, on_success = [] }: CommandWords): CommandWords[] => [
  ...(on_failure?.commands ?? []),
  ...on_success,
];

/** Everything of a command, and of what follows from it, in which values may stand. */
const textsOf = (command: CommandWords): string[] => [
  command.text,
  command.working_dir ?? '',
  ...Object.values(command.env ?? {}),
  ...handlersOf(command).flatMap(textsOf),
];

/** A condition that the workflow can ask, which gets the outputs that it may read. */
function conditionOf(when: string, before: Earlier[], given: boolean): string {
  const outputs = before.map(({ task }) => `${JSON.stringify(task)}: tasks[${JSON.stringify(task)}].outputs`);
  const args = [
    JSON.stringify(when),
    JSON.stringify(JSON.stringify(before)),
    given ? `{"item": ${ITERATION}, "index": index}` : '{}',
    `{${outputs.join(', ')}}`,
  ];
  return `${STEP_WHEN}(${args.join(', ')})`;
}
