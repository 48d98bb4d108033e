import type { OperationDetails } from '../../service/execute/operations.ts';
import type { SessionName } from '../../service/execute/parts.ts';
import type { Cli } from '../cli.ts';
import { fit } from '../live/fit.ts';
import { signsFor } from '../live/signs.ts';
import { operationRow } from '../render/operation-row.ts';
import type { Form } from '../render/program-answer.ts';
import type { Link } from '../stay-connected.ts';

interface Following {
  cli: Cli;
  link: Link;
  signal: AbortSignal;
  form: Form;
  request: SessionName;
}

/** Shows how an operation goes until it has ended; false when whoever watched has left. */
export async function followOperation(following: Following, handle: string): Promise<boolean> {
  const { cli, form } = following;
  if (!cli.terminal || form !== 'plain') return await asLines(following, handle, form === 'plain');
  return await asRow({ ...following, terminal: cli.terminal }, handle);
}

/** Its lines as it tells them, on standard error: standard output is for its rows. */
async function asLines({ cli, link, signal, request }: Following, handle: string, isTold: boolean): Promise<boolean> {
  let seen: number | undefined = 1;
  return await link.ask(async ({ service, caller }) => {
    const follow = await service.execute.follow(caller, request, handle);
    for await (const { event, line, n } of follow({ after: seen, signal })) {
      if (isTold) cli.err.line(line);
      if (event === 'terminal') return true;
      seen = n;
    }
    return false;
  });
}

const TICK_MS = 200;
const LOOK_MS = 400;

/** One row at the foot of the terminal, with its step and rows as they are now. */
async function asRow(
  { cli, link, signal, request, terminal }: Following & { terminal: NonNullable<Cli['terminal']> },
  handle: string,
): Promise<boolean> {
  const leaves = new AbortController();
  const gone = AbortSignal.any([signal, leaves.signal]);
  const signs = signsFor(cli.env);
  const begun = Date.now();
  let details: OperationDetails | undefined;
  const draw = () => {
    const row = operationRow(handle, details, { now: Date.now(), begun, signs, colours: cli.out.colours });
    screen.draw([fit(row, screen.columns - 1)]);
  };
  const screen = await terminal.open({
    key: ({ name, ctrl }) => {
      // A terminal that is drawn on tells Ctrl+C as a key.
      if ((ctrl && name === 'c') || name === 'q') leaves.abort();
    },
    resized: () => draw(),
  });
  const ticks = setInterval(draw, TICK_MS);
  draw();
  try {
    while (!gone.aborted) {
      details = await link.ask(({ service, caller }) => service.execute.operation(caller, request, handle));
      if (details.phase !== 'running') return true;
      await pause(LOOK_MS, gone);
    }
    return false;
  } finally {
    clearInterval(ticks);
    screen.close();
  }
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(done, ms);
    function done() {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done);
  });
