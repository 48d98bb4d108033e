import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const folder = join(root, 'node_modules', '.cache', 'holdpoint-test-temporal');

/**
 * Compiles src/temporal, src/home, src/worktree and the fixture programs, and returns the folder of the latter.
 * Node 20 runs no TypeScript, and these tests need real processes. It lies inside the package, so that imports resolve.
 */
export function compileFixtures(): string {
  mkdirSync(folder, { recursive: true });
  const tsconfig = join(folder, 'tsconfig.json');
  const include = [
    'src/temporal/*.ts',
    'src/home/home-lock.ts',
    'src/worktree/ensure.ts',
    'test/temporal/fixtures/*.ts',
  ];
  const settings = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { noEmit: false, rootDir: root, outDir: join(folder, 'out'), noCheck: true },
    include: include.map((pattern) => join(root, pattern)),
  };
  writeFileSync(tsconfig, JSON.stringify(settings));
  execFileSync(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', tsconfig]);
  return join(folder, 'out', 'test', 'temporal', 'fixtures');
}
