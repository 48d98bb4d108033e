import { Fault, type FaultCode } from '../../faults.ts';
import { PlanFileFault } from '../plan-argument.ts';

/** What is wrong with a program or a catalog, with the name by which the caller knows its text. */
class TextFault extends Fault {
  readonly file: string;

  constructor(file: string, fault: Fault) {
    super(fault.code, fault.message, { cause: fault.cause, errors: fault.errors });
    this.file = file;
  }

  /** One line per problem, in the form by which editors find the place. */
  places(): string[] {
    return (this.errors ?? []).flatMap(({ line, column, message }) =>
      line === undefined ? [] : [`${this.file}:${line}:${column ?? 1}: ${message}`],
    );
  }
}

const OF_TEXT: readonly FaultCode[] = ['PROGRAM_INVALID', 'CATALOG_INVALID'];

/** Does something with such a text, whose problems are told with its name. */
export async function inText<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const name = file === '-' ? '<stdin>' : file;
    if (!(thrown instanceof Fault)) throw thrown;
    // The text of a plan file is a program, too.
    if (thrown.code === 'PLAN_INVALID' && thrown.errors) throw new PlanFileFault(name, thrown);
    throw OF_TEXT.includes(thrown.code) ? new TextFault(name, thrown) : thrown;
  }
}
