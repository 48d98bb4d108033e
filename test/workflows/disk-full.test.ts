import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { caller, startWorld } from '../support/world.ts';

const DISK = mkdtempSync(join(tmpdir(), 'holdpoint-disk-'));

/** A disk of 4 MB of its own takes root; where that is not allowed, these tests are skipped. */
const mounted = (() => {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', DISK], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

describe.skipIf(!mounted)('a disk that is full (mounting one takes root)', () => {
  let world: Awaited<ReturnType<typeof startWorld>>;
  const temporary = process.env.TMPDIR;
  beforeAll(async () => {
    process.env.TMPDIR = DISK;
    world = await startWorld();
  });
  afterAll(async () => {
    await world.stop();
    if (temporary === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = temporary;
    execFileSync('umount', [DISK]);
    rmSync(DISK, { recursive: true });
  });

  test.each([
    ['a log', '{ run: "head -c 9000000 /dev/zero | tr \'\\\\0\' x" }'],
    ['a declared file', '{ run: "head -c 2500000 /dev/zero > out", outputs: [out] }'],
  ])('%s that does not fit fails its task, and says why; another task goes on', async (_, task) => {
    const id = await world.create(`
plan: 1
name: full
tasks:
  big: ${task.replace('}', ', on_failure: continue }')}
  after: { needs: [big], run: "rm -f out; true" }
`);
    const view = await world.reaches(id, 'completed');
    expect(view.tasks).toMatchObject([
      { status: 'failed', error: { message: expect.stringMatching(/^the disk is full \(.*no space left on device/) } },
      { status: 'succeeded' },
    ]);
    // Nothing is there by half.
    const store = join(world.home, 'artifacts');
    expect(await world.service.artifacts(caller, id)).toEqual([]);
    expect(
      readdirSync(world.home).includes('artifacts') ? readdirSync(store).filter((name) => /^[0-9a-f.]/.test(name)) : [],
    ).toEqual([]);
    rmSync(join(world.home, 'runs', id), { recursive: true });
  });

  test('once there is room, a resume goes on', async () => {
    const fill = join(DISK, 'fill');
    const id = await world.create(
      `plan: 1\nname: full\ntasks:\n  a: { run: "true" }\n  big: { needs: [a], run: "until test -f ${fill}; do sleep 0.05; done; echo 1 > out", outputs: [out] }\n`,
    );
    writeFileSync(fill, '');
    try {
      for (;;) writeFileSync(fill, Buffer.alloc(4_096), { flag: 'a' });
    } catch {
      // Full.
    }
    await world.reaches(id, 'failed');
    rmSync(fill);
    writeFileSync(fill, '');
    await world.service.nextRun(caller, id, { mode: 'resume' });
    await world.reaches(id, 'completed');
  });
});
