import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { BIN } from '../support/engine.ts';
import { until } from '../support/world.ts';
import type { Wire } from './rpc.ts';

/** `holdpoint mcp` as a process, to which anything may be written; it ends with the test. */
export function rawStdio(env: Record<string, string>) {
  const child: ChildProcess = spawn(process.execPath, [BIN, 'mcp'], { env, stdio: ['pipe', 'pipe', 'pipe'] });
  const seen: Wire[] = [];
  let rest = '';
  let err = '';
  child.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop()!;
    seen.push(...lines.map((line) => JSON.parse(line)));
  });
  child.stderr!.on('data', (chunk) => (err += chunk));
  child.stdin!.on('error', () => {});
  onTestFinished(() => void child.kill('SIGKILL'));
  let last = 0;

  const write = (text: string) => void child.stdin!.write(text);
  const answerTo = (id: unknown) =>
    until(`the answer to ${id}`, () => seen.find((one) => one.id === id && (one.result || one.error)), 60_000);
  return {
    child,
    seen,
    errors: () => err,
    write,
    answerTo,
    async request(method: string, params: Wire = {}): Promise<Wire> {
      const id = `r${++last}`;
      write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      return await answerTo(id);
    },
    notify: (method: string, params: Wire = {}) => write(`${JSON.stringify({ jsonrpc: '2.0', method, params })}\n`),
    /** Ends its input, and tells how it ended. */
    async end() {
      const ended = once(child, 'exit');
      child.stdin!.end();
      return await ended;
    },
  };
}

/** What every request of the protocol without sessions carries. */
export const envelope = (capabilities: object = {}) => ({
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  },
});
