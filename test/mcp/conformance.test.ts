import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { mcpOverHttp } from '../../src/mcp/http.ts';
import { fakeService, PLACE, serve } from '../api/serve.ts';
import { demonstrationServer } from './demonstration/server.ts';

/** Where `npm run check:mcp` has put the official conformance suite, and the Node 22 that it needs. */
const TOOLS = process.env.MCP_TOOLS;
const run = promisify(execFile);

/** Asked back while a call is at work, which needs a session; and what is deprecated, or not offered: levels of logs, subscriptions. */
const WITH_SESSIONS = [
  ...['tools-call-sampling', 'tools-call-elicitation', 'tools-call-with-logging', 'logging-set-level'],
  ...['resources-subscribe', 'resources-unsubscribe'],
];
/** Of each version of the protocol: how the suite is asked, and which scenarios cannot pass. */
const VERSIONS: Record<string, { args: string[]; failing: string[] }> = {
  // No tool of Holdpoint takes arguments from headers; the SDK holds these against each other for tools of its own registry only.
  '2026-07-28': { args: ['--requirements', '2026-07-28'], failing: ['http-custom-header-server-validation'] },
  '2025-11-25': {
    args: ['--suite', 'active', '--spec-version', '2025-11-25'],
    failing: [
      ...WITH_SESSIONS,
      ...['elicitation-sep1034-defaults', 'elicitation-sep1330-enums', 'server-sse-multiple-streams'],
    ],
  },
  '2025-06-18': { args: ['--suite', 'active', '--spec-version', '2025-06-18'], failing: WITH_SESSIONS },
};

describe.skipIf(TOOLS === undefined)('the official conformance suite, with its own tools over this transport', () => {
  test.each(Object.entries(VERSIONS))(
    '%s',
    async (_, { args, failing }) => {
      const { service } = fakeService();
      const more = { place: () => PLACE, onInternal: () => {}, version: '1' };
      const { port } = await serve({}, { mcp: mcpOverHttp(service, more, demonstrationServer) });
      const cwd = mkdtempSync(join(tmpdir(), 'conformance-'));
      onTestFinished(() => rmSync(cwd, { recursive: true }));
      const baseline = join(cwd, 'baseline.yml');
      writeFileSync(baseline, `server:\n${failing.map((name) => `  - ${name}\n`).join('')}`);
      const bin = (name: string) => join(TOOLS!, 'node_modules', name);
      const url = `http://127.0.0.1:${port}/mcp`;
      const given = [bin('.bin/conformance'), 'server', '--url', url, '--expected-failures', baseline, ...args];
      const asked = run(bin('node/bin/node'), given, { cwd, maxBuffer: 2 ** 26 });
      const { code = 0, stdout } = await asked.then((ended) => ({ ...ended, code: 0 })).catch((error) => error);
      const summary = String(stdout).split('=== SUMMARY ===')[1] ?? String(stdout);
      console.log(summary);
      expect(code, summary).toBe(0);
    },
    300_000,
  );
});
