import { relative } from 'node:path';
import type { Position } from '../../plan/position.ts';
import type { Cli } from '../cli.ts';
import { shellWord } from '../render/text.ts';

/** "step 2 of 3, iteration 1 of 5". */
export function positionWords({ step, steps, iteration, iterations }: Position): string {
  const of = `step ${step} of ${steps}`;
  return iteration === undefined || iterations === undefined ? of : `${of}, iteration ${iteration} of ${iterations}`;
}

/** The exact command that goes on with a session, from the caller's directory. */
export function resumeCommand({ self, directory }: Cli, file: string | undefined, sessionId: string): string {
  const named = file === undefined ? '' : ` ${shellWord(shorter(file, directory))}`;
  return `${self} run${named} --resume ${sessionId}`;
}

function shorter(file: string, directory: string): string {
  const path = relative(directory, file);
  if (path.startsWith('..') || path === '') return file;
  // `-` alone is standard input, and what begins with it an option.
  return path.startsWith('-') ? `./${path}` : path;
}
