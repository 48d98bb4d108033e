/** Where in a shell script one is: bare words, quotes of a kind, a comment, the body of a here-document, or arithmetic. */
type Place = 'bare' | 'double' | 'single' | 'ansi' | 'comment' | 'heredoc' | 'arithmetic';

interface Heredoc {
  delimiter: string;
  /** Its delimiter is quoted: the shell expands nothing in it. */
  asIs: boolean;
  /** `<<-`: tabs before the delimiter do not count. */
  tabs: boolean;
}

export interface ShellContext {
  stack: Place[];
  /** What closes each nested bare place: `)` of `$( )`, or a backtick. */
  closers: string[];
  /** The last character was a backslash that quotes the next. */
  escaped: boolean;
  /** Here-documents that begin at the next line break, and the one that is being read, with its present line. */
  pending: Heredoc[];
  reading: Heredoc | undefined;
  line: string;
  /** The character before, by which a comment is told from `#` inside a word. */
  before: string;
}

export const startOfScript = (): ShellContext => ({
  stack: ['bare'],
  closers: [],
  escaped: false,
  pending: [],
  reading: undefined,
  line: '',
  before: '\n',
});

export const inHeredocAsIs = ({ reading }: ShellContext): boolean => reading?.asIs === true;

const HEREDOC = /^<<(-?)[ \t]*(?:'([^'\n]+)'|"([^"\n]+)"|(\\?)([^\s;&|<>()'"`]+))/;

/**
 * Follows a script so far that one knows how a variable has to be written at its end. A misreading of an odd script can make a value
 * arrive in several words, or its variable's name in its place; it can never make the value run.
 */
export function walk(context: ShellContext, text: string): void {
  for (let i = 0; i < text.length; i++) i += step(context, text[i]!, text.slice(i, i + 200));
}

/** Takes one character; gives how many more of `rest` it took with it. */
function step(context: ShellContext, c: string, rest: string): number {
  const place = context.stack.at(-1)!;
  if (context.reading && place === 'heredoc') return readHeredoc(context, c);
  if (context.escaped) {
    context.escaped = false;
    context.before = 'x';
    return 0;
  }
  const taken = PLACES[place as keyof typeof PLACES](context, c, rest);
  context.before = c;
  return taken;
}

const PLACES = {
  bare(context: ShellContext, c: string, rest: string): number {
    const { stack, closers, before, pending } = context;
    if (c === '\\') context.escaped = true;
    else if (c === "'") stack.push(before === '$' ? 'ansi' : 'single');
    else if (c === '"') stack.push('double');
    else if (c === '#' && /[\s;&|()]/.test(before)) stack.push('comment');
    else if (c === '\n') beginHeredoc(context);
    else if (c === closers.at(-1)) {
      closers.pop();
      stack.pop();
    } else if (rest.startsWith('((')) {
      stack.push('arithmetic', 'arithmetic');
      return 1;
    } else if (c === '(' || c === '`') {
      stack.push('bare');
      closers.push(c === '(' ? ')' : '`');
    } else if (rest.startsWith('<<<')) return 2;
    else if (rest.startsWith('<<')) {
      const found = HEREDOC.exec(rest);
      if (!found) return 0;
      const [all, dash, single, double, backslash, word] = found;
      const delimiter = single ?? double ?? word!;
      pending.push({ delimiter, asIs: word === undefined || backslash === '\\', tabs: dash === '-' });
      return all.length - 1;
    }
    return 0;
  },
  double(context: ShellContext, c: string, rest: string): number {
    const { stack, closers } = context;
    if (c === '\\') context.escaped = true;
    else if (c === '"') stack.pop();
    else if (c === '`') {
      stack.push('bare');
      closers.push('`');
    } else if (rest.startsWith('$((')) {
      stack.push('arithmetic', 'arithmetic');
      return 2;
    } else if (rest.startsWith('$(')) {
      stack.push('bare');
      closers.push(')');
      return 1;
    }
    return 0;
  },
  single({ stack }: ShellContext, c: string): number {
    if (c === "'") stack.pop();
    return 0;
  },
  ansi(context: ShellContext, c: string): number {
    if (c === '\\') context.escaped = true;
    else if (c === "'") context.stack.pop();
    return 0;
  },
  arithmetic({ stack }: ShellContext, c: string): number {
    if (c === '(') stack.push('arithmetic');
    else if (c === ')') stack.pop();
    return 0;
  },
  comment(context: ShellContext, c: string): number {
    if (c !== '\n') return 0;
    context.stack.pop();
    beginHeredoc(context);
    return 0;
  },
};

function beginHeredoc(context: ShellContext): void {
  context.reading = context.pending.shift();
  context.line = '';
  if (context.reading) context.stack.push('heredoc');
}

function readHeredoc(context: ShellContext, c: string): number {
  if (c !== '\n') {
    context.line += c;
    return 0;
  }
  const { delimiter, tabs } = context.reading!;
  if ((tabs ? context.line.replace(/^\t+/, '') : context.line) === delimiter) {
    context.stack.pop();
    context.before = '\n';
    beginHeredoc(context);
  }
  context.line = '';
  return 0;
}
