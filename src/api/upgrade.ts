import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** An upgrade that is taken, with what came after its headers. */
export type TakeUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/**
 * Takes WebSockets at one address. Any other protocol that a client would change to (as `h2c`, which curl offers by itself), and
 * a WebSocket elsewhere, is passed over: the request is answered as if it had not asked (RFC 9110, section 7.8).
 */
export function takeUpgrades(server: Server, path: string, take: TakeUpgrade): void {
  server.on('upgrade', (request, socket, head) => {
    if (isOffered(request, path)) take(request, socket, head);
    else {
      // Node has stopped reading requests here. It reads this one again, without its wish.
      socket.unshift(Buffer.concat([headOf(request), head]));
      server.emit('connection', socket);
    }
  });
}

function isOffered({ method, url = '', headers }: IncomingMessage, path: string): boolean {
  const asked = (headers.upgrade ?? '').split(',').map((protocol) => protocol.trim().toLowerCase());
  return method === 'GET' && asked.includes('websocket') && url.split('?', 1)[0] === path;
}

function headOf({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]!.toLowerCase() !== 'upgrade') lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`);
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}
