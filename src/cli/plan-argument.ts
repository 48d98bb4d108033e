import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { Fault, type Problem } from '../faults.ts';
import type { JsonObject } from '../plan/json.ts';
import type { ReadPlan } from '../service/plan-file.ts';
import type { Cli } from './cli.ts';
import { count } from './render/text.ts';

/** The problems of a plan file, with the name by which the caller knows it. */
export class PlanFileFault extends Fault {
  readonly file: string;

  constructor(file: string, fault: Fault) {
    const errors = fault.errors ?? [];
    const told = errors.every(isGiven) ? 'cannot be run with these inputs' : 'is not a valid plan';
    super(fault.code, `${file} ${told}: ${count(errors.length, 'problem')}`, {
      cause: fault.cause,
      errors: fault.errors,
    });
    this.file = file;
  }

  /** One line per problem, in the form by which editors and CI find the place. */
  places(): string[] {
    return (this.errors ?? []).map((problem) => {
      const { line = 1, column = 1, path } = problem;
      return `${isGiven(problem) ? `--input ${path.at(-1)}` : `${this.file}:${line}:${column}`}: ${sentence(problem)}`;
    });
  }
}

/** What was given for an input stands nowhere in the file. */
const isGiven = ({ line }: Problem): boolean => line === undefined;

/** With its subject: in a list of problems the path says it. */
function sentence({ message, path }: Problem): string {
  if (!/^(is|are|has|have|must|cannot|does|names|asks|holds|says) /.test(message)) return message;
  const word = path.findLast((step) => typeof step === 'string');
  const number = path.at(-1);
  const subject = typeof number === 'number' ? `number ${number + 1} of \`${word}\`` : `\`${word}\``;
  return word === undefined ? message : `${subject} ${message}`;
}

/** A plan file named on the command line: its text, and what it means with the inputs given. */
export interface PlanArgument extends ReadPlan {
  text: string;
}

/** Reads and checks the file, `-` being standard input. Throws USAGE when it cannot be read, else PlanFileFault. */
export async function readPlanArgument(cli: Cli, file: string, inputs: JsonObject): Promise<PlanArgument> {
  const { readPlanFile } = await import('../service/plan-file.ts');
  return await inPlanFile(file, async () => {
    const text = await readText(cli, file);
    return { ...readPlanFile(text, { inputs }), text };
  });
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

/** The text of a file named on the command line, `-` being standard input. Throws USAGE, or what is wrong with its bytes. */
export async function readText(cli: Cli, file: string, what = 'plan file'): Promise<string> {
  const { readPlanText } = await import('../service/plan-file/bytes.ts');
  if (file === '-') return await readPlanText(cli.readStandardInput());
  try {
    return await readPlanText(createReadStream(resolve(cli.directory, file)));
  } catch (error) {
    if (error instanceof Fault) throw error;
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new Fault('USAGE', `cannot read the ${what} ${file}: ${WHY[code] ?? message}`, { cause: error });
  }
}
