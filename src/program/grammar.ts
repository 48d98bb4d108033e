import { grammar as made, type Node } from 'ohm-js';
import type { Comparison, HeadAst, Place, ValueAst, Word } from './ast.ts';
import { type Statement as Scanned, type Token, textOf } from './tokens.ts';

/** One line of a program, as it is written: which steps there are, and what they take, is for `read-ops.ts`. */
export type Statement =
  | { form: 'step'; name: Word; chain: RawChain }
  | { form: 'results'; return: boolean; chains: RawChain[] };

export interface RawChain extends Place {
  head: HeadAst;
  ops: RawOp[];
}

export type RawOp = Place &
  (
    | { form: 'braces'; items: RawItem[] }
    | { form: 'brackets'; fields: Word[] }
    | { form: 'reverse'; name: Word; items: RawItem[] }
    | { form: 'call'; name: Word; args: RawArg[] }
    | { form: 'block'; name: Word; items: RawItem[] }
    | { form: 'word'; name: Word }
    | { form: 'map'; fields: { name: Word; value: ValueAst }[] }
    | { form: 'for_each'; chain: RawChain }
  );

export type RawItem = Place &
  ({ form: 'predicate'; field: Word; op: Comparison; value: ValueAst } | { form: 'field'; field: Word; desc: boolean });

export type RawArg = Place &
  (
    | { form: 'named'; name: Word; value: ValueAst | RawCall }
    | { form: 'desc'; field: Word }
    | { form: 'value'; value: ValueAst }
    | RawCall
  );

export interface RawCall extends Place {
  form: 'function';
  name: Word;
  field?: Word;
}

/**
 * Of the signs of tokens, one character each: to read names and numbers letter by letter, too, takes the library ten times as long;
 * so does a rule of its own for what is one sign.
 */
const GRAMMAR = `
Holdpoint {
  statement = "R" chains                 -- return
            | "n" "=" chain              -- step
            | chains                     -- results
  chains = nonemptyListOf<chain, ",">
  chain = head op*
  effect = head step*
  head = "n" "~" value                   -- search
       | "n" "(" value ")"               -- get
       | "n"                             -- name

  op = step
     | "A" "{" nonemptyListOf<pair, ","> "}"  -- map
     | "A" effect                        -- each
  step = "." dotted                      -- dotted
       | "[" listOf<"n", ","> "]"        -- brackets
       | block                           -- braces
  dotted = "n" "(" listOf<arg, ","> ")"  -- call
         | "n" block                     -- block
         | "n"                           -- word
         | "^" "n" block?                -- reverse
  block = "{" listOf<item, ","> "}"
  pair = "n" ":" value
  item = "n" comparison value            -- predicate
       | "n"                             -- field
       | "-" "n"                         -- desc
  arg = "n" "=" given                    -- named
      | function
      | value                            -- value
      | "-" "n"                          -- desc
  given = function | value
  function = "n" "(" "n"? ")"
  value = "n" ("." "n")+                 -- ref
        | ("n" | "0" | "s" | "w")        -- plain
        | "[" listOf<value, ","> "]"     -- list
  comparison = "c" | "=" | "~"
}`;

/** What cannot be read: the index of the token that is not, and the signs that were expected there. */
export interface Unreadable {
  index: number;
  expected: string[];
}
type Read = (statement: Scanned) => Statement | Unreadable;
let read: Read | undefined;

/** Reads one statement. */
export function readStatement(statement: Scanned): Statement | Unreadable {
  // Made when the first program comes: a command that reads none need not wait for it.
  read ??= reader();
  return read(statement);
}

function reader(): Read {
  const grammar = made(GRAMMAR);
  let tokens: readonly Token[] = [];
  const word = (node: Node): Word => {
    const { text, line, column } = tokens[node.source.startIdx]!;
    return { text, line, column };
  };
  const place = (node: Node): Place => {
    const { line, column } = tokens[node.source.startIdx]!;
    return { line, column };
  };
  const listed = (node: Node): Node[] => (node.asIteration() as Node).children;
  const all = (nodes: Node[]) => nodes.map((node) => node.read() as unknown);

  function chain(this: Node, head?: Node, ops?: Node) {
    return { head: head!.read(), ops: all(ops!.children), ...place(this) };
  }
  const actions: Record<string, (this: Node, ...nodes: Node[]) => unknown> = {
    statement_return: (_return, chains) => ({ form: 'results', return: true, chains: chains!.read() }),
    statement_step: (name, _is, chain) => ({ form: 'step', name: word(name!), chain: chain!.read() }),
    statement_results: (chains) => ({ form: 'results', return: false, chains: chains!.read() }),
    chains: (list) => all(listed(list!)),
    chain,
    effect: chain,
    head_search: (name, _contains, text) => ({ kind: 'search', name: word(name!), text: text!.read() }),
    head_get: (name, _open, key, _close) => ({ kind: 'get', name: word(name!), key: key!.read() }),
    head_name: (name) => ({ kind: 'name', name: word(name!) }),
    step_dotted(_dot, dotted) {
      return { ...(dotted!.read() as object), ...place(this) };
    },
    step_braces(block) {
      return { form: 'braces', items: block!.read(), ...place(this) };
    },
    step_brackets(_open, fields, _close) {
      return { form: 'brackets', fields: listed(fields!).map(word), ...place(this) };
    },
    dotted_reverse(_up, name, block) {
      return { form: 'reverse', name: word(name!), items: all(block!.children).flat(), ...place(this) };
    },
    dotted_call(name, _open, args, _close) {
      return { form: 'call', name: word(name!), args: all(listed(args!)), ...place(this) };
    },
    dotted_block(name, block) {
      return { form: 'block', name: word(name!), items: block!.read(), ...place(this) };
    },
    dotted_word(name) {
      return { form: 'word', name: word(name!), ...place(this) };
    },
    op_map(_to, _open, pairs, _close) {
      return { form: 'map', fields: all(listed(pairs!)), ...place(this) };
    },
    op_each(_to, chain) {
      return { form: 'for_each', chain: chain!.read(), ...place(this) };
    },
    block: (_open, items, _close) => all(listed(items!)),
    pair: (name, _is, value) => ({ name: word(name!), value: value!.read() }),
    item_predicate(name, comparison, value) {
      const sign = word(comparison!).text;
      return {
        form: 'predicate',
        field: word(name!),
        op: sign === '==' ? '=' : sign,
        value: value!.read(),
        ...place(this),
      };
    },
    item_desc(_minus, name) {
      return { form: 'field', field: word(name!), desc: true, ...place(this) };
    },
    item_field(name) {
      return { form: 'field', field: word(name!), desc: false, ...place(this) };
    },
    arg_named(name, _is, value) {
      return { form: 'named', name: word(name!), value: value!.read(), ...place(this) };
    },
    arg_desc(_minus, name) {
      return { form: 'desc', field: word(name!), ...place(this) };
    },
    arg_value(value) {
      return { form: 'value', value: value!.read(), ...place(this) };
    },
    function(name, _open, field, _close) {
      const [of] = field!.children;
      return { form: 'function', name: word(name!), ...(of && { field: word(of) }), ...place(this) };
    },
    value_ref(base, _dots, path) {
      return { kind: 'ref', base: word(base!).text, path: path!.children.map(word), ...place(this) };
    },
    value_list(_open, items, _close) {
      return { kind: 'list', items: all(listed(items!)), ...place(this) };
    },
    value_plain(_token) {
      const { text, ...at } = word(this);
      const kind = KINDS[this.sourceString];
      return { kind, text: kind === 'text' ? textOf(text) : text, ...at };
    },
  };
  const semantics = grammar.createSemantics().addOperation('read', actions as never);
  return (statement) => {
    tokens = statement.tokens;
    const match = grammar.match(statement.signs, 'statement');
    if (match.succeeded()) return semantics(match).read() as Statement;
    // The library's own sentence leaves out what would have gone on with something that may end here, too.
    const failed = match as unknown as Failed;
    const expected = failed.getRightmostFailures().map((failure) => failure.getText());
    return { index: failed.getRightmostFailurePosition(), expected };
  };
}

interface Failed {
  getRightmostFailurePosition(): number;
  getRightmostFailures(): { getText(): string }[];
}

const KINDS: Record<string, string> = { s: 'text', '0': 'number', w: 'word', n: 'word' };
