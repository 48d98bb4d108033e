import type { QuestionView } from '../../plan/view.ts';
import type { Cli } from '../cli.ts';
import { shellWord } from './text.ts';

/** The exact commands that answer a question, one per option. */
export const answerCommands = (
  { self }: Pick<Cli, 'self'>,
  planId: string,
  { id, options }: Pick<QuestionView, 'id' | 'options'>,
): string[] =>
  (options.length > 0 ? options : ['NAME=VALUE']).map(
    (option) => `${self} answer ${planId} ${id} ${shellWord(option)}`,
  );
