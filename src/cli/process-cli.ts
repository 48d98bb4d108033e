import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import pc from 'picocolors';
import { type Cli, INTERRUPTED, type Screen } from './cli.ts';
import { engineOf } from './engine-access.ts';

/** This process as commands see it. */
export function processCli(): Cli {
  const { env, stdin, stdout, stderr } = process;
  return {
    env,
    directory: process.cwd(),
    self: env.npm_command === 'exec' ? 'npx holdpoint' : 'holdpoint',
    out: screen(stdout, env),
    err: screen(stderr, env),
    readStandardInput() {
      if (stdin.isTTY) stderr.write('reading the plan from the terminal; end it with Ctrl+D\n');
      return text(stdin);
    },
    interrupt() {
      const controller = new AbortController();
      // Not `once`: proper-lockfile's handler ends the process when it finds itself the only one left.
      process.on('SIGINT', () => {
        if (controller.signal.aborted) process.exit(INTERRUPTED);
        controller.abort();
      });
      return controller.signal;
    },
    engine: engineOf(env),
    exitCode: 0,
  };
}

const screen = (stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): Screen => ({
  line: (text) => void stream.write(`${text}\n`),
  async drained() {
    if (stream.writableNeedDrain) await once(stream, 'drain');
  },
  colours: pc.createColors(usesColour(stream, env)),
});

/** Colours are for people at a terminal; https://no-color.org turns them off. */
export const usesColour = ({ isTTY }: { isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean =>
  isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
