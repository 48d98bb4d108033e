import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withoutSecrets } from './child-environment.ts';
import { packageRoot } from './package-root.ts';
import { type OnProgress, progressOf } from './progress.ts';
import { findOnPath } from './temporal-program.ts';

const BUILD_LIMIT_MS = 20 * 60_000;

/** The oldest Go that the committed module accepts, for example "1.25". */
export function goVersionNeeded(): string {
  const [, version = '1.25'] = /^go (\d+\.\d+)/m.exec(readFileSync(join(moduleFolder(), 'go.mod'), 'utf8')) ?? [];
  return version;
}

/** Builds the Temporal CLI from source with Go, from the module whose go.sum is committed here. Throws with the reason. */
export async function buildTemporal(folder: string, onProgress: OnProgress, env: NodeJS.ProcessEnv): Promise<string> {
  const go = findOnPath('go', env.PATH);
  if (!go) throw new Error('go is not on PATH');
  const program = join(folder, 'temporal');
  const args = ['build', '-trimpath', '-ldflags', '-s -w', '-o', program, 'github.com/temporalio/cli/cmd/temporal'];
  const child = spawn(go, args, {
    cwd: moduleFolder(),
    // A go.work above the package must not take part.
    env: { ...withoutSecrets(env), GOWORK: 'off' },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: BUILD_LIMIT_MS,
  });
  const endWithUs = () => child.kill();
  process.once('exit', endWithUs);
  const report = progressOf('building', onProgress);
  const show = () =>
    report(`building Temporal from source with Go, ${seconds(began)} s (about 3 minutes the first time)`);
  const began = performance.now();
  show();
  const ticker = setInterval(show, 1000);
  try {
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-4000);
    });
    const [code, signal] = await once(child, 'close');
    if (code !== 0) throw new Error(`go build ended with ${signal ?? `code ${code}`}: ${lastLines(said)}`);
    return program;
  } finally {
    clearInterval(ticker);
    process.off('exit', endWithUs);
  }
}

const moduleFolder = () => join(packageRoot(), 'src', 'temporal', 'dev-server');

const seconds = (since: number) => Math.round((performance.now() - since) / 1000);

/** Go's messages without the lines about the modules it fetched. */
function lastLines(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() && !line.startsWith('go: downloading'));
  return lines.slice(-3).join(' ') || 'no message';
}
