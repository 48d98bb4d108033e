import { Composer, type CST, type Document, Lexer, LineCounter, Parser } from 'yaml';
import type { Json } from '../../plan/json.ts';
import { LARGEST_BYTES, TOO_LARGE } from './bytes.ts';
import { type Path, type Places, plainJson, tooDeep } from './plain-json.ts';

/** A fault at an offset of the text; it becomes a problem once its line is known. */
export interface Misplaced {
  message: string;
  path: Path;
  offset: number;
}

/** A plan file's text as plain data, each part with its place; `content` is undefined when the text cannot be read. */
export interface PlanDocument {
  text: string;
  lines: LineCounter;
  content: Json | undefined;
  places: Places;
  faults: Misplaced[];
}

/** The parser's stack grows by one or two per level; past this the text is nested deeper than any plan may be. */
const DEEPEST_STACK = 80;
const SYNTAX_FAULTS_TOLD = 20;
/** Words, numbers and texts, keys included. The parser takes ten times as long for a list of digits as for a script of the same size. */
const MOST_VALUES = 250_000;
/** Past this, no machine runs a plan in reasonable time; a map task is the way to more. */
export const MOST_TASKS = 10_000;
/** A broken file of ten thousand tasks must not make an answer nobody can read, nor take long to make it. */
export const MOST_TOLD = 1_000;

/** Reads YAML, and so JSON. Never throws. `what` it is, in the words of messages. */
export function readDocument(source: string, what = 'plan file'): PlanDocument {
  const text = source.replace(/^\uFEFF/, '');
  const tooLarge = Buffer.byteLength(text) > LARGEST_BYTES;
  const lines = linesOf(tooLarge ? '' : text);
  const document: PlanDocument = { text, lines, content: undefined, places: new WeakMap(), faults: [] };
  const fault = (message: string, offset = 0, path: Path = []) => {
    if (document.faults.push({ message, path, offset }) > MOST_TOLD) throw new GaveUp();
  };
  try {
    if (tooLarge) fault(TOO_LARGE);
    else {
      const parsed = parse(text, what, fault);
      if (parsed && document.faults.length === 0)
        document.content = plainJson(parsed.contents, { what, places: document.places, largest: LARGEST_BYTES, fault });
    }
  } catch (error) {
    if (!(error instanceof GaveUp)) throw error;
  }
  return document;
}

function linesOf(text: string): LineCounter {
  const lines = new LineCounter();
  for (let start = 0; start !== -1; ) {
    lines.addNewLine(start);
    const end = text.indexOf('\n', start);
    start = end === -1 ? -1 : end + 1;
  }
  return lines;
}

type Fault = (message: string, offset: number) => void;

/**
 * The library's `parseDocument`, but that it gives up while it goes through the text: on deep nesting before anything
 * recurses, on too many values or tasks, and after some faults. A file made to hurt would hold the process for long.
 */
function parse(text: string, what: string, fault: Fault): Document.Parsed | undefined {
  let told = 0;
  const syntax = (message: string, offset: number) => {
    if (++told <= SYNTAX_FAULTS_TOLD) fault(`this is not valid YAML: ${message}`, offset);
    else throw new GaveUp();
  };
  // Duplicate keys are found by `plainJson`: the library compares every key with every other.
  const composer = new Composer({ version: '1.2', schema: 'core', uniqueKeys: false });
  // Warnings come here too: what YAML would read in some way of its own, such as an unknown tag, is not taken.
  Reflect.set(composer, 'onError', (source: Source, _code: string, message: string) =>
    syntax(message, offsetOf(source)),
  );
  try {
    const [first, second] = composer.compose(tokensOf(text, fault, syntax), true, text.length);
    if (second) fault(`a ${what} is one document; another one begins here`, second.range[0]);
    return first;
  } catch (error) {
    if (error instanceof GaveUp) throw error;
    fault(`this cannot be read as YAML: ${error instanceof Error ? error.message : String(error)}`, 0);
    return undefined;
  }
}

function* tokensOf(text: string, fault: Fault, syntax: Fault): Iterable<CST.Token> {
  const parser = new Parser();
  let values = 0;
  for (const lexeme of new Lexer().lex(text)) {
    yield* soundOnes(parser.next(lexeme), syntax);
    if (lexeme === SCALAR) values++;
    const problem = tooMuch(parser.stack, values);
    if (problem === undefined) continue;
    fault(problem, parser.offset);
    throw new GaveUp();
  }
  yield* soundOnes(parser.end(), syntax);
}

/** What the lexer says before each scalar. */
const SCALAR = '\u001f';

function tooMuch(stack: readonly CST.Token[], values: number): string | undefined {
  if (stack.length > DEEPEST_STACK) return tooDeep;
  if (values > MOST_VALUES) return `the plan file has more than ${MOST_VALUES} words, numbers and texts in it`;
  const [, top, list] = stack;
  return hasItems(list) && list.items.length > MOST_TASKS && hasItems(top) && isTasks(top.items.at(-1)?.key)
    ? tooManyTasks
    : undefined;
}

export const tooManyTasks = `a plan has at most ${MOST_TASKS} tasks; this one has more`;

type Collection = CST.BlockMap | CST.BlockSequence | CST.FlowCollection;
const hasItems = (token: CST.Token | undefined): token is Collection => token !== undefined && 'items' in token;
const isTasks = (key: CST.Token | null | undefined): boolean =>
  key !== null && key !== undefined && 'source' in key && /^["']?(tasks|steps)["']?$/.test(key.source);

function* soundOnes(tokens: Iterable<CST.Token>, syntax: Fault): Iterable<CST.Token> {
  for (const token of tokens) {
    if (token.type === 'error') syntax(token.message, token.offset);
    else yield token;
  }
}

class GaveUp extends Error {}

type Source = number | readonly number[] | { offset: number };
const offsetOf = (source: Source): number =>
  typeof source === 'number' ? source : 'offset' in source ? source.offset : source[0]!;
