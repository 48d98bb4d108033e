/** Loops over the items of a list, by name; each binds a name of its own. */
export const LOOPS: readonly string[] = ['all', 'exists', 'exists_one', 'map', 'filter'];

/** A node of the parser's tree. */
export interface Node {
  op: string;
  args: unknown;
}
export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'op' in value && 'args' in value;

/** The evaluator cannot be interrupted, and one plan's expression would hold up every other's. About a quarter of a second. */
export const MOST_STEPS = 300_000;

/** Longer texts take longer to look through: so many characters count as one step. */
const CHARACTERS_A_STEP = 64;

/** What is known of a value before it is evaluated; undefined: nothing. */
type Known = { value: unknown } | undefined;

/**
 * At least as many steps as evaluating an expression takes, counted with the values it reads; `Infinity` for more than
 * `MOST_STEPS`. Only loops in which something else goes through a list or a text are counted: all others are over as soon as
 * their list is.
 */
export function stepsOf(ast: unknown, scope: Readonly<Record<string, unknown>>): number {
  if (!isCostly(ast)) return 0;
  const count: Count = { steps: 0, weights: new Map(), scope, largest: undefined };
  walk(ast, {}, count);
  return count.steps > MOST_STEPS ? Number.POSITIVE_INFINITY : count.steps;
}

/** Whether a loop has another, or a search, inside it. */
function isCostly(node: unknown, inLoop = false): boolean {
  if (Array.isArray(node)) return node.some((item) => isCostly(item, inLoop));
  if (!isNode(node)) return false;
  const loop = loopOf(node);
  if (inLoop && (loop || searches(node))) return true;
  if (!loop) return isCostly(node.args, inLoop);
  return isCostly(loop.list, inLoop) || isCostly(loop.bodies, true);
}

interface Loop {
  name: string;
  list: unknown;
  variable: string;
  bodies: unknown[];
}

function loopOf({ op, args }: Node): Loop | undefined {
  if (op !== 'rcall' || !Array.isArray(args) || !LOOPS.includes(String(args[0]))) return undefined;
  const [name, list, parameters] = args as [string, unknown, unknown];
  if (!Array.isArray(parameters)) return undefined;
  const [variable, ...bodies] = parameters as unknown[];
  return { name, list, variable: isNode(variable) ? String(variable.args) : '', bodies };
}

const SEARCHES = ['in', '==', '!=', '+', 'call', 'rcall'];
const searches = ({ op }: Node): boolean => SEARCHES.includes(op);

interface Count {
  steps: number;
  /** Of values that were weighed already. */
  weights: Map<object, number>;
  scope: Readonly<Record<string, unknown>>;
  largest: number | undefined;
}
type Variables = Readonly<Record<string, Known>>;

function walk(node: unknown, variables: Variables, count: Count): Known {
  if (count.steps > MOST_STEPS) return undefined;
  if (Array.isArray(node)) {
    for (const item of node) walk(item, variables, count);
    return undefined;
  }
  if (!isNode(node)) return undefined;
  const loop = loopOf(node);
  if (loop) return repeat(loop, variables, count);
  const { op, args } = node;
  if (op === 'value') return { value: args };
  if (op === 'id') return named(String(args), variables, count);
  if (!Array.isArray(args)) return undefined;
  const operands = (args as unknown[]).map((item) =>
    typeof item === 'string' ? { value: item } : walk(item, variables, count),
  );
  if (op === '.' || op === '[]') return member(operands[0], operands[1]);
  if (searches(node)) count.steps += search(op, args as unknown[], operands, variables, count);
  return op === 'list' && operands.every((item) => item !== undefined)
    ? { value: operands.map((item) => item.value) }
    : undefined;
}

const named = (name: string, variables: Variables, { scope }: Count): Known => {
  if (Object.hasOwn(variables, name)) return variables[name];
  return Object.hasOwn(scope, name) ? { value: scope[name] } : undefined;
};

function member(base: Known, key: Known): Known {
  if (!base || !key || typeof base.value !== 'object' || base.value === null) return undefined;
  const name = String(key.value);
  return Object.hasOwn(base.value, name) ? { value: (base.value as Record<string, unknown>)[name] } : undefined;
}

/** A list that is known is gone through; of any other the length is not more than all that there is to read. */
function repeat({ name, list, variable, bodies }: Loop, variables: Variables, count: Count): Known {
  const known = walk(list, variables, count);
  const items = known && itemsOf(known.value);
  const once = (item: Known) => {
    count.steps += 1;
    for (const body of bodies) walk(body, { ...variables, [variable]: item }, count);
  };
  if (items) {
    for (const value of items) {
      if (count.steps > MOST_STEPS) return undefined;
      once({ value });
    }
    return name === 'filter' ? { value: items } : undefined;
  }
  const before = count.steps;
  once(undefined);
  count.steps = before + (count.steps - before) * largest(count);
  return undefined;
}

function itemsOf(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value;
  return typeof value === 'object' && value !== null ? Object.keys(value) : undefined;
}

/** What a comparison, a concatenation or a function goes through. */
function search(op: string, args: unknown[], operands: Known[], variables: Variables, count: Count): number {
  const weigh = (known: Known) => (known ? weight(known.value, count) : largest(count));
  const [left, right] = operands;
  if (op === 'in') return weigh(right);
  if (op === '==' || op === '!=') return Math.min(weigh(left), weigh(right));
  if (op === '+') return isSmall(left) || isSmall(right) ? 1 : weigh(left) + weigh(right);
  // Their parameters stand in a list of their own.
  const given = args.flatMap((item) => (Array.isArray(item) ? item.map((one) => walk(one, variables, count)) : []));
  const all = op === 'rcall' ? [right, ...given] : given;
  return String(args[0]) === 'size' ? 1 : all.reduce((sum, one) => sum + weigh(one), 1);
}

const isSmall = (known: Known): boolean => known !== undefined && typeof known.value !== 'object';

/** How many parts a value has, its texts counted by their length. */
function weight(value: unknown, count: Count): number {
  if (typeof value === 'string') return 1 + Math.floor(value.length / CHARACTERS_A_STEP);
  if (typeof value !== 'object' || value === null) return 1;
  const known = count.weights.get(value);
  if (known !== undefined) return known;
  const sum = Object.values(value).reduce<number>((total, item) => total + weight(item, count), 1);
  count.weights.set(value, sum);
  return sum;
}

const largest = (count: Count): number => {
  count.largest ??= Object.values(count.scope).reduce<number>((sum, value) => sum + weight(value, count), 1);
  return count.largest;
};
