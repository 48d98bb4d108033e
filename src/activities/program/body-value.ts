import { compiled, ExpressionError } from '../../plan/expression.ts';
import type { Json } from '../../plan/json.ts';
import { TaskFailure } from '../kind.ts';

/** What an expression over `body` gives; undefined: there is nothing at that place. */
export type BodyValue = (body: Json) => Json | undefined;

/** `body`, `body.a.b`, `body["a-b"]`: most are, and need neither evaluator nor a copy of the body. */
const PATH = /^\s*body((?:\s*\.\s*[A-Za-z_]\w*|\s*\[\s*"[^"\\]*"\s*\])*)\s*$/;
const NAMES = /\.\s*([A-Za-z_]\w*)|"([^"]*)"/g;

/** `what` the expression is for, in messages. */
export function bodyValue(expression: string, what: string): BodyValue {
  const path = PATH.exec(expression)?.[1];
  if (path !== undefined) {
    const names = Array.from(path.matchAll(NAMES), ([, plain, quoted]) => plain ?? quoted!);
    return (body) => names.reduce<Json | undefined>(memberOf, body);
  }
  const invalid = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      throw new TaskFailure(`${what}: ${error.message}`, { final: 'hopeless' });
    }
  };
  const evaluate = invalid(() => compiled(expression));
  return (body) => invalid(() => evaluate({ body }));
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, name) ? value[name] : undefined;
}
