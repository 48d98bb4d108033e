import { once } from 'node:events';
import pc from 'picocolors';
import { Fault } from '../faults.ts';
import { askYesNo } from './ask-yes-no.ts';
import { type Cli, exitOf, type Screen } from './cli.ts';
import { engineOf } from './engine-access.ts';
import { canDraw, processTerminal } from './live/process-terminal.ts';
import type { LiveScreen } from './terminal.ts';

/** This process as commands see it. */
export function processCli(): Cli {
  const { env, stdin, stdout, stderr } = process;
  let taken: LiveScreen | undefined;
  const drawn = () => taken;
  return {
    env,
    get directory() {
      return workingDirectory();
    },
    self: env.npm_command === 'exec' ? 'npx holdpoint' : 'holdpoint',
    out: screen(stdout, env, drawn),
    err: screen(stderr, env, drawn),
    ...(canDraw(stdout, env) && {
      terminal: processTerminal(stdin, stdout, (screen) => {
        taken = screen;
      }),
    }),
    ...(stdin.isTTY && stderr.isTTY && { ask: (question: string) => askYesNo(stdin, stderr, question) }),
    readStandardInput() {
      if (stdin.isTTY) stderr.write('reading from the terminal; end it with Ctrl+D\n');
      return stdin;
    },
    interrupt({ whenUnread } = {}) {
      const controller = new AbortController();
      let first = 0;
      // Not `once`: proper-lockfile's handler ends the process when it finds itself the only one left.
      for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
        process.on(name, () => {
          if (!controller.signal.aborted) {
            first = performance.now();
            controller.abort(name);
          } else if (performance.now() - first > ECHO_MS) process.exit(exitOf(controller.signal));
        });
      if (whenUnread) stdout.on('error', () => controller.abort('SIGPIPE'));
      return controller.signal;
    },
    async openPage(address) {
      const { default: open } = await import('open');
      const browser = await open(address);
      // Whether it works is the browser's own affair from here on.
      browser.on('error', () => {});
      browser.unref();
    },
    engine: engineOf(env),
    exitCode: 0,
  };
}

/** `timeout` and npm send a signal on to a process that has had it from its terminal or group already: that is no second one. */
const ECHO_MS = 250;

function workingDirectory(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new Fault('USAGE', 'the directory that this was called in is gone; change to one that is there', { cause });
  }
}

/** While the terminal is drawn on, lines for it go above what is drawn. */
const screen = (stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv, drawn: () => LiveScreen | undefined): Screen => ({
  line(text) {
    const live = stream.isTTY ? drawn() : undefined;
    if (live) live.print(text.split('\n'));
    else stream.write(`${text}\n`);
  },
  async drained() {
    if (stream.writableNeedDrain) await once(stream, 'drain');
  },
  colours: pc.createColors(usesColour(stream, env)),
  ...(stream.isTTY && { columns: stream.columns }),
});

/** Colours are for people at a terminal; https://no-color.org turns them off, and https://force-color.org on. */
export function usesColour({ isTTY }: { isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0';
  return isTTY === true && env.TERM !== 'dumb';
}
