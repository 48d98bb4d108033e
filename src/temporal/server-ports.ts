import { createServer } from 'node:net';

export interface ServerPorts {
  port: number;
  ui_port: number;
}

/** Temporal's own, which its tools try when they are given none. */
const USUAL: ServerPorts = { port: 7233, ui_port: 8233 };

/** The earlier ports of this home when they are free, so that addresses stay; else the usual ones, else any. */
export async function choosePorts(earlier: ServerPorts | undefined): Promise<ServerPorts> {
  for (const ports of [earlier, USUAL]) {
    if (!ports || !(await isFree(ports.port)) || !(await isFree(ports.ui_port))) continue;
    return { port: ports.port, ui_port: ports.ui_port };
  }
  return anyPorts();
}

/** Both are held at once, so that they differ. */
export async function anyPorts(): Promise<ServerPorts> {
  const [first, second] = [await listen(0), await listen(0)];
  await Promise.all([first.close(), second.close()]);
  return { port: first.port, ui_port: second.port };
}

async function isFree(port: number): Promise<boolean> {
  try {
    await (await listen(port)).close();
    return true;
  } catch {
    return false;
  }
}

function listen(port: number): Promise<{ port: number; close: () => Promise<void> }> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address();
      const close = () => new Promise<void>((closed) => server.close(() => closed()));
      resolve({ port: typeof address === 'object' && address ? address.port : port, close });
    });
  });
}
