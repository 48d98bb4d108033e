import type { JsonObject } from '../../plan/json.ts';
import type { QuestionView } from '../../plan/view.ts';
import type { Cli } from '../cli.ts';
import { shellWord } from './text.ts';

type Asked = Pick<QuestionView, 'id' | 'options' | 'form'>;

/** The exact commands that answer a question, one per option. */
export function answerCommands({ self }: Pick<Cli, 'self'>, planId: string, { id, options, form }: Asked): string[] {
  const answers = form ? [fields(form)] : options.map(argument);
  return answers.map((answer) => `${self} answer ${planId} ${shellWord(id)} ${answer}`);
}

/** The same in one line: the first option's command, and the others beside it. */
export function answerCommand(cli: Pick<Cli, 'self'>, planId: string, question: Asked): string {
  const [first] = answerCommands(cli, planId, question);
  const [, ...others] = question.form ? [] : question.options.map(argument);
  return others.length > 0 ? `${first}  # or ${others.join(', ')}` : first!;
}

/** `age=INTEGER city=STRING`: every field that has to be given. */
function fields({ properties = {}, required = [] }: JsonObject): string {
  const names = (required as string[]).length > 0 ? (required as string[]) : Object.keys(properties as JsonObject);
  const typeOf = (name: string) => String(((properties as JsonObject)[name] as JsonObject).type ?? 'value');
  return names.map((name) => `${name}=${typeOf(name).toUpperCase()}`).join(' ');
}

/** What begins with a dash would be read as an option of the command. */
const argument = (option: string): string => `${option.startsWith('-') ? '-- ' : ''}${shellWord(option)}`;
