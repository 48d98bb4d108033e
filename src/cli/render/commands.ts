import type { QuestionView } from '../../plan/view.ts';
import type { Cli } from '../cli.ts';
import { shellWord } from './text.ts';

/** The exact commands that answer a question, one per option. */
export function answerCommands(
  { self }: Pick<Cli, 'self'>,
  planId: string,
  { id, options }: Pick<QuestionView, 'id' | 'options'>,
): string[] {
  const answers = options.length > 0 ? options.map(argument) : ['NAME=VALUE'];
  return answers.map((answer) => `${self} answer ${planId} ${id} ${answer}`);
}

/** What begins with a dash would be read as an option of the command. */
const argument = (option: string): string => `${option.startsWith('-') ? '-- ' : ''}${shellWord(option)}`;
