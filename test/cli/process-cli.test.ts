import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { canDraw } from '../../src/cli/live/process-terminal.ts';
import { processCli, usesColour } from '../../src/cli/process-cli.ts';

describe('colours are used', () => {
  test.each([
    ['at a terminal', { isTTY: true }, {}, true],
    ['not in a pipe', {}, {}, false],
    ['not in a pipe of a CI either', {}, { CI: 'true' }, false],
    ['not with NO_COLOR', { isTTY: true }, { NO_COLOR: '1' }, false],
    ['with an empty NO_COLOR, which says nothing', { isTTY: true }, { NO_COLOR: '' }, true],
    ['not at a dumb terminal', { isTTY: true }, { TERM: 'dumb' }, false],
    ['in a pipe with FORCE_COLOR', {}, { FORCE_COLOR: '1' }, true],
    ['not with FORCE_COLOR=0', { isTTY: true }, { FORCE_COLOR: '0' }, false],
    ['not with both', { isTTY: true }, { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
  ])('%s', (_, stream, env, used) => expect(usesColour(stream, env)).toBe(used));
});

describe('a plan is drawn', () => {
  test.each([
    ['at a terminal', { isTTY: true }, {}, true],
    ['not in a pipe', {}, {}, false],
    ['not in CI', { isTTY: true }, { CI: 'true' }, false],
    ['not at a dumb terminal', { isTTY: true }, { TERM: 'dumb' }, false],
    ['without colours too', { isTTY: true }, { NO_COLOR: '1' }, true],
  ])('%s', (_, stream, env, drawn) => expect(canDraw(stream, env)).toBe(drawn));
});

describe('Ctrl+C', () => {
  // Those of the test runner itself are none of our business.
  const others = process.listeners('SIGINT');
  beforeEach(() => void process.removeAllListeners('SIGINT'));
  afterEach(() => {
    process.removeAllListeners('SIGINT');
    for (const other of others) process.on('SIGINT', other);
    vi.restoreAllMocks();
  });

  test('aborts, and keeps its handler: the one of proper-lockfile would end the process, alone', () => {
    const signal = processCli().interrupt();
    process.emit('SIGINT');
    expect({ aborted: signal.aborted, handlers: process.listenerCount('SIGINT') }).toEqual({
      aborted: true,
      handlers: 1,
    });
  });

  test('the second time ends the process', () => {
    const exit = vi.spyOn(process, 'exit').mockImplementation((() => {}) as never);
    const now = vi.spyOn(performance, 'now').mockReturnValue(1_000);
    processCli().interrupt();
    process.emit('SIGINT');
    process.emit('SIGINT');
    // The same one, that `timeout` or npm has sent on.
    expect(exit).not.toHaveBeenCalled();
    now.mockReturnValue(1_400);
    process.emit('SIGINT');
    expect(exit).toHaveBeenCalledWith(130);
  });
});
