import { createInterface } from 'node:readline';

/** Asks somebody at a terminal; anything but a yes is a no, and so is Ctrl+D. Ctrl+C is a signal here, too: it settles nothing. */
export function askYesNo(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  question: string,
): Promise<boolean> {
  const reader = createInterface({ input, output });
  return new Promise((resolve) => {
    let settles = true;
    reader.on('SIGINT', () => {
      settles = false;
      reader.close();
      // A signal that is sent comes later, when nothing may keep the process any more.
      if (!process.emit('SIGINT', 'SIGINT')) process.kill(process.pid, 'SIGINT');
    });
    reader.on('close', () => {
      output.write('\n');
      if (settles) resolve(false);
    });
    reader.question(`${question} [y/N] `, (answer) => {
      resolve(/^y(es)?$/i.test(answer.trim()));
      reader.removeAllListeners('close').close();
    });
  });
}
