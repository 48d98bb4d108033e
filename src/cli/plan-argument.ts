import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Fault, type Problem } from '../faults.ts';
import type { JsonObject } from '../plan/json.ts';
import type { ReadPlan } from '../service/plan-file.ts';
import type { Cli } from './cli.ts';

/** The problems of a plan file, with the name by which the caller knows it. */
export class PlanFileFault extends Fault {
  readonly file: string;

  constructor(file: string, fault: Fault) {
    const count = fault.errors?.length === 1 ? '1 problem' : `${fault.errors?.length} problems`;
    super(fault.code, `${file} is not a valid plan: ${count}`, { cause: fault.cause, errors: fault.errors });
    this.file = file;
  }

  /** One line per problem, in the form by which editors and CI find the place. */
  places(): string[] {
    return (this.errors ?? []).map(
      ({ line = 1, column = 1, message }: Problem) => `${this.file}:${line}:${column}: ${message}`,
    );
  }
}

/** A plan file named on the command line: its text, and what it means with the inputs given. */
export interface PlanArgument extends ReadPlan {
  text: string;
}

/** Reads and checks the file, `-` being standard input. Throws USAGE when it cannot be read, else PlanFileFault. */
export async function readPlanArgument(cli: Cli, file: string, inputs: JsonObject): Promise<PlanArgument> {
  const text = await readText(cli, file);
  const { readPlanFile } = await import('../service/plan-file.ts');
  return await inPlanFile(file, async () => ({ ...readPlanFile(text, { inputs }), text }));
}

/** Does something with a plan file, whose problems are told with its name. */
export async function inPlanFile<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const isOfFile = thrown instanceof Fault && thrown.code === 'PLAN_INVALID' && thrown.errors;
    throw isOfFile ? new PlanFileFault(file === '-' ? '<stdin>' : file, thrown) : thrown;
  }
}

const WHY: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a directory',
  EACCES: 'reading it is not allowed',
};

/** The text of a file named on the command line, `-` being standard input. Throws USAGE. */
export async function readText(cli: Cli, file: string): Promise<string> {
  if (file === '-') return await cli.readStandardInput();
  try {
    return await readFile(resolve(cli.directory, file), 'utf8');
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new Fault('USAGE', `cannot read the plan file ${file}: ${WHY[code] ?? message}`, { cause: error });
  }
}
