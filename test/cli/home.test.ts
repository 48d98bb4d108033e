import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { engineOf } from '../../src/cli/engine-access.ts';
import { FAULTS, Fault } from '../../src/faults.ts';
import { asHomeFault } from '../../src/home/home-fault.ts';

const folder = mkdtempSync(join(tmpdir(), 'holdpoint-home-'));
const connecting = (HOLDPOINT_HOME: string) =>
  engineOf({ HOLDPOINT_HOME })
    .connect({ start: false, onProgress() {} })
    .catch((error: unknown) => error as Fault);

test('a home that cannot be used is named, with what to do', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  for (const [home, why] of [
    [file, 'it is not a folder'],
    [join(file, 'home'), 'it is not a folder'],
    ...(process.platform === 'linux' ? [['/proc/holdpoint', 'it is not there and cannot be made'] as const] : []),
  ] as const) {
    const fault = (await connecting(home)) as Fault;
    expect(fault.message).toContain(`the home ${home} cannot be used: ${why}`);
    expect(fault.message).toContain('set HOLDPOINT_HOME to a folder that can be written');
    expect(FAULTS[fault.code].exit).toBe(6);
  }
  rmSync(folder, { recursive: true });
});

test('so is one whose disk is full; any other error stays what it is', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  expect((asHomeFault(full, '/h') as Fault).message).toMatch(/the disk is full \(ENOSPC\); make room, or set/);
  const other = Object.assign(new Error('ENOENT'), { code: 'ENOENT', path: '/elsewhere' });
  expect(asHomeFault(other, '/h')).toBe(other);
  const fault = new Fault('USAGE', 'x');
  expect(asHomeFault(fault, '/h')).toBe(fault);
});
