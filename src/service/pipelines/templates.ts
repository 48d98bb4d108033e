import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { KINDS } from '../../activities/kinds.ts';
import { Fault } from '../../faults.ts';
import type { Json, JsonObject } from '../../plan/json.ts';
import type { AnyTaskKind } from '../../plan/kind.ts';
import { readDocument } from '../plan-file/document.ts';
import { isJsonObject } from '../plan-file/plain-json.ts';
import { collectProblems } from '../plan-file/problems.ts';
import { readPlanFile } from '../plan-file.ts';
import { TEMPLATES, type TemplateName } from './names.ts';

/** A template as its file says it: a plan file with `tasks`. */
export interface Template {
  inputs: JsonObject;
  tasks: Record<string, JsonObject>;
  /** Of the whole run. */
  budget?: Json;
}
export type Templates = Record<TemplateName, Template>;

export interface TemplatesFrom {
  /** The user's own; a template that it does not have is the shipped one. */
  own: string | undefined;
  shipped: string;
  kinds?: readonly AnyTaskKind[];
}

/** Read for each pipeline, so that a change of a file counts from the next message on. Throws CONFIG_INVALID with file and line. */
export async function readTemplates(from: TemplatesFrom): Promise<Templates> {
  const read = await Promise.all(TEMPLATES.map(async (name) => [name, await readTemplate(name, from)] as const));
  return Object.fromEntries(read) as Templates;
}

async function readTemplate(name: TemplateName, { own, shipped, kinds = KINDS }: TemplatesFrom): Promise<Template> {
  const ownFile = own === undefined ? undefined : join(own, `${name}.yaml`);
  const file = ownFile !== undefined && existsSync(ownFile) ? ownFile : join(shipped, `${name}.yaml`);
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new Fault('CONFIG_INVALID', `the pipeline template ${file} cannot be read: ${error.message}`);
  });
  return checkTemplate(name, file, text, kinds);
}

/** What every template may read: what is given to a pipeline, what the classification answers, and what finish is told. */
export const GIVEN = ['message', 'history', 'chat_id', 'build_command'] as const;
export const TOLD = ['work', 'reviews', 'approved'] as const;
const WORDS = ['plan', 'name', 'description', 'labels', 'inputs', 'tasks'];
const BUDGET_ELSEWHERE =
  'a run is one plan, and has one budget: put it into classify.yaml, with which every run begins';

export function checkTemplate(name: TemplateName, file: string, text: string, kinds = KINDS): Template {
  try {
    mustBeTemplate(name, text);
    const inputs = declaredIn(text);
    readPlanFile(text, { inputs: standIns(inputs), kinds });
    const { tasks, budget } = readDocument(text).content as unknown as Template;
    return { inputs, tasks, ...(budget !== undefined && { budget }) };
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'PLAN_INVALID') throw error;
    const { errors = [], message } = error;
    throw new Fault('CONFIG_INVALID', `the pipeline template ${file}: ${message}`, { cause: error, errors });
  }
}

/** What a template may not have, though a plan file may. */
function mustBeTemplate(name: TemplateName, text: string): void {
  const document = readDocument(text);
  const problems = collectProblems(document);
  const { content } = document;
  if (isJsonObject(content)) {
    for (const word of Object.keys(content))
      if (word === 'budget') {
        if (name !== 'classify') problems.problem([word], BUDGET_ELSEWHERE, 'key');
      } else if (!WORDS.includes(word))
        problems.problem([word], `a pipeline's template has only ${WORDS.join(', ')}`, 'key');
    if (!isJsonObject(content.tasks)) problems.problem([], 'a template has `tasks`, by id');
    else if (name === 'classify' && !classification(content.tasks as Template['tasks']))
      problems.problem(
        ['tasks'],
        'classify.yaml has one task, `classify`, of the kind llm, whose `output` is an object with intent and scope',
        'key',
      );
  }
  problems.raise();
}

/** Names of what the classification answers. */
export function classification(tasks: Template['tasks']): string[] | undefined {
  const names = propertiesOf(tasks.classify);
  const isWhole = Object.keys(tasks).length === 1 && ['intent', 'scope'].every((name) => names.includes(name));
  return isWhole ? names : undefined;
}

/** Names of what an agent's answer has, where a schema says it. */
export function propertiesOf(task: JsonObject | undefined): string[] {
  const llm = task?.llm;
  const output = isJsonObject(llm) ? llm.output : undefined;
  return isJsonObject(output) && isJsonObject(output.properties) ? Object.keys(output.properties) : [];
}

function declaredIn(text: string): JsonObject {
  const { content } = readDocument(text);
  return isJsonObject(content) && isJsonObject(content.inputs) ? content.inputs : {};
}

/** Any value will do to check a file by. */
function standIns(inputs: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(inputs).flatMap(([name, declared]) => {
      if (!isJsonObject(declared) || 'default' in declared) return [];
      const [first] = Array.isArray(declared.enum) ? declared.enum : [];
      const value = first ?? STAND_INS[typeof declared.type === 'string' ? declared.type : 'string'];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
const STAND_INS: Record<string, Json> = { string: 'x', number: 0, integer: 0, boolean: true, array: [], object: {} };
