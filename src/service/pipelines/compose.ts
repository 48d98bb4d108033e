import { Fault } from '../../faults.ts';
import type { Json, JsonObject } from '../../plan/json.ts';
import { isJsonObject } from '../plan-file/plain-json.ts';
import { readTask, rewriteExpression, rewriteWords } from './expressions.ts';
import { CLASSIFY, INTENTS, type Intent, TEMPLATES, type TemplateName, taskIdOf } from './names.ts';
import { classification, GIVEN, propertiesOf, type Template, type Templates } from './templates.ts';

/**
 * The plan file of a pipeline: the classification, then the tasks of every template, of which those of one intent run, then the
 * finish. One plan and not a plan in a plan, so that each agent stands in its view to the end.
 */
export function composePipeline(templates: Templates): JsonObject {
  const answered = classification(templates.classify.tasks) ?? [];
  const agents = INTENTS.flatMap((intent) => agentsOf(intent, templates[intent]));
  const inputs = inputsOf(answered, agents);
  const tasks: Record<string, Json> = {};
  for (const name of TEMPLATES)
    for (const [id, words] of Object.entries(templates[name].tasks))
      tasks[taskIdOf(name, id)] = composeTask(name, words, templates, inputs);
  return {
    plan: 1,
    name: 'pipeline',
    description: 'What a message of a chat asks for',
    labels: { holdpoint: 'pipeline' },
    ...(templates.classify.budget !== undefined && { budget: templates.classify.budget }),
    inputs: {
      ...ownInputs(templates, answered),
      message: { type: 'string' },
      history: { type: 'string', default: '' },
      chat_id: { type: 'string' },
      build_command: { type: 'string', default: defaultOf(templates.finish, 'build_command') },
    },
    tasks,
  };
}

interface AgentTask {
  id: string;
  name: string;
  /** It answers whether it approves. */
  reviews: boolean;
}

function agentsOf(intent: Intent, { tasks }: Template): AgentTask[] {
  return Object.entries(tasks).flatMap(([name, words]) =>
    'llm' in words ? [{ id: taskIdOf(intent, name), name, reviews: propertiesOf(words).includes('approved') }] : [],
  );
}

type Inputs = (template: TemplateName) => (name: string) => string | undefined;

/** What stands for `inputs.NAME`: of what is given nothing else, of what the classification answered its output. */
function inputsOf(answered: string[], agents: AgentTask[]): Inputs {
  const told: Record<string, string> = {
    work: texts(agents.filter(({ reviews }) => !reviews)),
    reviews: texts(agents.filter(({ reviews }) => reviews)),
    approved: agents.flatMap((agent) => (agent.reviews ? [approves(agent)] : [])).join(' && ') || 'true',
  };
  return (template) => (name) => {
    if ((GIVEN as readonly string[]).includes(name)) return undefined;
    if (template === 'finish' && Object.hasOwn(told, name)) return `(${told[name]})`;
    if (template !== CLASSIFY && answered.includes(name)) return `${readTask(CLASSIFY)}.outputs.json.${name}`;
    return undefined;
  };
}

/** An agent that was skipped has no outputs. */
const texts = (agents: AgentTask[]): string =>
  agents
    .map(({ id, name }) => {
      const outputs = `${readTask(id)}.outputs`;
      return `('text' in ${outputs} ? '## ${name}\\n' + ${outputs}.text + '\\n\\n' : '')`;
    })
    .join(' + ') || "''";

const approves = ({ id }: AgentTask): string =>
  `(!('json' in ${readTask(id)}.outputs) || ${readTask(id)}.outputs.json.approved)`;

function composeTask(
  template: TemplateName,
  { needs, if: condition, ...words }: JsonObject,
  templates: Templates,
  inputs: Inputs,
): JsonObject {
  const { tasks } = templates[template];
  const renaming = {
    task: (name: string) => (Object.hasOwn(tasks, name) ? taskIdOf(template, name) : undefined),
    input: inputs(template),
  };
  const own = [needs ?? []].flat().map((need) => taskIdOf(template, String(need)));
  const before = beforeOf(template, templates);
  const guarded = conditionFor(template, own.length === 0, condition, (text) => rewriteExpression(text, renaming));
  return {
    ...(rewriteWords(words, renaming) as JsonObject),
    needs: own.length > 0 ? own : before,
    ...(guarded !== undefined && { if: guarded }),
  };
}

/** What the first tasks of a template wait for. */
function beforeOf(template: TemplateName, templates: Templates): string[] {
  if (template === CLASSIFY) return [];
  if (template !== 'finish') return [CLASSIFY];
  return INTENTS.flatMap((intent) => lastOf(intent, templates[intent]));
}

/** Tasks that no other needs; through them all are waited for. */
function lastOf(intent: Intent, { tasks }: Template): string[] {
  const needed = new Set(Object.values(tasks).flatMap(({ needs }) => [needs ?? []].flat().map(String)));
  return Object.keys(tasks).flatMap((id) => (needed.has(id) ? [] : [taskIdOf(intent, id)]));
}

/** Of an intent that is not the message's nothing runs, and the finish does not mind what was skipped. */
function conditionFor(
  template: TemplateName,
  isFirst: boolean,
  condition: Json | undefined,
  rewrite: (text: string) => string,
): string | undefined {
  const own = condition === undefined ? undefined : rewrite(conditionText(condition));
  if (template === CLASSIFY) return own;
  if (template === 'finish') return own ?? (isFirst ? 'true' : undefined);
  if (own === undefined && !isFirst) return undefined;
  const ofIntent = `${readTask(CLASSIFY)}.outputs.json.intent == '${template}'`;
  return own === undefined || own === 'true' ? ofIntent : `${ofIntent} && (${own})`;
}

const conditionText = (condition: Json): string => {
  const text = String(condition);
  return /^\s*\$\{\{(.*)\}\}\s*$/s.exec(text)?.[1]?.trim() ?? text.trim();
};

/** Inputs of the user's own, which have to have a default: nobody gives them. */
function ownInputs(templates: Templates, answered: string[]): JsonObject {
  const own: JsonObject = {};
  for (const name of TEMPLATES)
    for (const [input, declared] of Object.entries(templates[name].inputs)) {
      const isKnown = [...GIVEN, ...answered, ...(name === 'finish' ? ['work', 'reviews', 'approved'] : [])];
      if (isKnown.includes(input)) continue;
      if (!isJsonObject(declared) || !('default' in declared))
        throw new Fault(
          'CONFIG_INVALID',
          `the pipeline template ${name}.yaml: inputs.${input} is given by nobody: give it a default, or let the classification answer it`,
        );
      own[input] = declared;
    }
  return own;
}

function defaultOf({ inputs }: Template, name: string): Json {
  const declared = inputs[name];
  return isJsonObject(declared) ? (declared.default ?? '') : '';
}
