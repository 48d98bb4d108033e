import { Fault } from '../../faults.ts';

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

/** Does something with such a text, whose problems are told with its name. */
export async function inText<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const isOfText =
      thrown instanceof Fault && (thrown.code === 'PROGRAM_INVALID' || thrown.code === 'CATALOG_INVALID');
    throw isOfText ? new TextFault(file === '-' ? '<stdin>' : file, thrown) : thrown;
  }
}
