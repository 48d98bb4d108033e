import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { connect } from 'node:net';
import { onTestFinished } from 'vitest';

/** A reverse proxy that serves an engine below a path, as people put it; gives that address. */
export async function behindPrefix(engine: string, prefix: string): Promise<string> {
  const { hostname, port } = new URL(engine);
  const within = (url = '') => url.slice(prefix.length) || '/';
  const proxy = createServer((incoming, outgoing) => {
    if (!incoming.url?.startsWith(`${prefix}/`)) return void outgoing.writeHead(404).end('outside the prefix');
    const options = { hostname, port, method: incoming.method, path: within(incoming.url), headers: incoming.headers };
    const passed = request(options, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  proxy.on('upgrade', (incoming, socket, head) => {
    const passed = connect(Number(port), hostname, () => {
      const headers = incoming.rawHeaders.map((text, i) => (i % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('');
      passed.write(`GET ${within(incoming.url)} HTTP/1.1\r\n${headers}\r\n`);
      passed.write(head);
      passed.pipe(socket).pipe(passed);
    });
    for (const end of [passed, socket]) end.on('error', () => end.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://127.0.0.1:${(proxy.address() as { port: number }).port}${prefix}`;
}
