import { asFault } from '../../faults.ts';
import type { CommandName } from '../../plan/lifecycle.ts';
import type { CommandRequest } from '../../service/control-plan.ts';
import type { ReadPlan } from '../../service/read-plan.ts';
import type { Cli } from '../cli.ts';
import type { Link } from '../stay-connected.ts';
import type { Key, LiveScreen, Terminal } from '../terminal.ts';
import { frame } from './frame.ts';
import { type Effect, type LiveState, noticed, refused, type Step, seen, typed } from './live-state.ts';
import { signsFor } from './signs.ts';

export interface LiveOptions {
  cli: Pick<Cli, 'self' | 'out' | 'env'>;
  terminal: Terminal;
  link: Link;
  view: ReadPlan;
  /** Leaving interrupts the plan; otherwise it goes on. */
  interrupts?: boolean;
  /** When this sitting began, of a plan that was held before. */
  from?: number;
  /** Somebody wants to leave. */
  leave(): void;
  /** Something was asked of the plan: its view is wanted anew. */
  changed(): void;
}

export interface Live {
  /** The plan as it is now. */
  seen(view: ReadPlan): void;
  close(): void;
}

/** Times tick by themselves; nothing is asked for it. */
const TICK_MS = 250;

/** Draws a plan at the foot of the terminal, and does what the keys say, until closed. */
export async function openLive(options: LiveOptions): Promise<Live> {
  const { cli, terminal, link, view, interrupts = false, from, leave, changed } = options;
  const { plan_id } = view;
  const signs = signsFor(cli.env);
  let state: LiveState = { view, mode: 'watch', interrupts };
  let screen: LiveScreen | undefined;
  let isClosed = false;

  const draw = () => {
    if (!screen || isClosed) return;
    // The last column stays free: a terminal may go on to the next row after it.
    const { columns, rows, hasKeys } = screen;
    const window = {
      columns: columns - 1,
      rows: rows - 1,
      hasKeys,
      now: Date.now(),
      from,
      colours: cli.out.colours,
      signs,
    };
    screen.draw(frame(state, { ...window, self: cli.self }));
  };
  const turn = (next: Step) => {
    state = next.state;
    draw();
    if (next.effect) void carryOut(next.effect);
  };

  async function carryOut(effect: Effect): Promise<void> {
    if (effect.do === 'leave') return leave();
    if (effect.do === 'command') return await send(effect.name, {});
    const { name, request } = effect.dialog.item.command(effect.dialog.given);
    await send(name, request, (problem) => {
      state = refused(state, effect.dialog, problem);
    });
  }

  async function send(name: CommandName, request: CommandRequest, isRefused?: (problem: string) => void) {
    try {
      const { result } = await link.ask(({ service, caller }) => service.command(caller, plan_id, name, request));
      if (result === 'pending')
        state = noticed(state, `${name}: it is kept, but no worker has answered yet`, Date.now());
    } catch (thrown) {
      const { message, code } = asFault(thrown);
      if (isRefused && code === 'ANSWER_INVALID') isRefused(message);
      else state = noticed(answerLeft(state), message, Date.now());
    }
    changed();
    draw();
  }

  const opened = await terminal.open({ key: (key: Key) => turn(typed(state, key)), resized: () => draw() });
  screen = opened;
  const ticks = setInterval(draw, TICK_MS);
  draw();
  return {
    seen(newer) {
      state = seen(state, newer, Date.now());
      draw();
    },
    close() {
      isClosed = true;
      clearInterval(ticks);
      opened.close();
    },
  };
}

/** A question that could not be answered for another reason than the answer is not asked on. */
const answerLeft = (state: LiveState): LiveState => ({ ...state, mode: 'watch' });
