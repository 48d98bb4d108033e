import { createInterface } from 'node:readline/promises';

/** Asks somebody at a terminal; anything but a yes is a no. */
export async function askYesNo(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  question: string,
): Promise<boolean> {
  const reader = createInterface({ input, output });
  try {
    return /^y(es)?$/i.test((await reader.question(`${question} [y/N] `)).trim());
  } finally {
    reader.close();
  }
}
