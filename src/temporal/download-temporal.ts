import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as tar from 'tar';
import { oneLine } from './one-line.ts';
import { type OnProgress, progressOf } from './progress.ts';
import { TEMPORAL_CLI_VERSION } from './temporal-program.ts';

const PLATFORMS: Partial<Record<NodeJS.Platform, string>> = { linux: 'linux', darwin: 'darwin' };
const ARCHITECTURES: Partial<Record<NodeJS.Architecture, string>> = { x64: 'amd64', arm64: 'arm64' };
/** Also the whole of what a blocked network costs a first start. */
const CONNECT_MS = 10_000;
const STALL_MS = 30_000;
const MEGABYTE = 1_000_000;

export function downloadUrl(base: string): string {
  const [platform, arch] = [PLATFORMS[process.platform], ARCHITECTURES[process.arch]];
  if (!platform || !arch) throw new Error(`there is no official build for ${process.platform} ${process.arch}`);
  const root = base.replace(/\/+$/, '');
  return `${root}/cli/archive/v${TEMPORAL_CLI_VERSION}?platform=${platform}&arch=${arch}`;
}

/** Downloads the official archive and puts its `temporal` into `folder`. Throws with the reason. */
export async function downloadTemporal(base: string, folder: string, onProgress: OnProgress): Promise<string> {
  const url = downloadUrl(base);
  const watch = watchdog();
  try {
    const response = await fetch(url, { signal: watch.signal });
    if (!response.ok || !response.body) throw new Error(`answered ${response.status}`);
    const total = Number(response.headers.get('content-length')) || undefined;
    await pipeline(
      Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]),
      counted(total, watch.alive, progressOf('downloading', onProgress)),
      tar.extract({ cwd: folder, filter: (path) => path.replace(/^\.\//, '') === 'temporal' }),
    );
  } catch (error) {
    throw new Error(`${url}: ${oneLine(watch.signal.aborted ? watch.signal.reason : error)}`);
  } finally {
    watch.end();
  }
  return join(folder, 'temporal');
}

/** Ends a download that does not connect, or from which nothing comes any more. */
function watchdog() {
  const controller = new AbortController();
  const after = (ms: number, what: string) =>
    setTimeout(() => controller.abort(new Error(`${what} within ${ms / 1000} s`)), ms);
  let timer = after(CONNECT_MS, 'did not answer');
  return {
    signal: controller.signal,
    alive() {
      clearTimeout(timer);
      timer = after(STALL_MS, 'sent nothing more');
    },
    end: () => clearTimeout(timer),
  };
}

function counted(total: number | undefined, alive: () => void, report: (detail: string) => void): Transform {
  let [received, reportedAt] = [0, 0];
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      alive();
      received += chunk.length;
      if (performance.now() - reportedAt > 250) {
        reportedAt = performance.now();
        report(`downloading Temporal ${megabytes(received)}${total ? ` of ${megabytes(total)}` : ''} MB`);
      }
      done(null, chunk);
    },
  });
}

const megabytes = (bytes: number) => Math.round(bytes / MEGABYTE);
