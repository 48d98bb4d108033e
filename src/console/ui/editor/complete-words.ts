import { yamlLanguage } from '@codemirror/lang-yaml';
import type { EditorState, Extension } from '@codemirror/state';
import { call } from '../../api/client.ts';
import { pathAt, type WordSchema, wordsAt } from './words.ts';

/** What the editor asks with. */
interface Asking {
  state: EditorState;
  pos: number;
  explicit: boolean;
  matchBefore: (pattern: RegExp) => { from: number; text: string } | null;
}

let schema: Promise<WordSchema> | undefined;

/** The format of plan files as the server has it, asked for once. */
function readSchema(): Promise<WordSchema> {
  schema ??= call<WordSchema>('GET', 'schema/plan.json').catch((error: unknown) => {
    schema = undefined;
    throw error;
  });
  return schema;
}

/** Offers the words that a plan file may have at a place. */
async function complete(asking: Asking) {
  const { state, pos, explicit } = asking;
  const word = asking.matchBefore(/[\w-]*/)!;
  const line = state.doc.lineAt(pos);
  const before = line.text.slice(0, word.from - line.from);
  // A key begins a line, an entry of a list, or stands after a `{` or a comma within one.
  const isKey = /^\s*(?:-\s+)*$/.test(before) || (/[{,]\s*$/.test(before) && before.includes('{'));
  if (!isKey || (word.text === '' && !explicit)) return null;
  const found = await readSchema().catch(() => undefined);
  if (!found) return null;
  const words = wordsAt(found, pathAt(state.sliceDoc(0, word.from)));
  if (words.size === 0) return null;
  const options = Array.from(words, ([label, info]) => ({
    label,
    type: 'property',
    apply: `${label}: `,
    ...(info && { info }),
  }));
  return { from: word.from, options, validFor: /^[\w-]*$/ };
}

export const planWords = (): Extension => yamlLanguage.data.of({ autocomplete: complete });
