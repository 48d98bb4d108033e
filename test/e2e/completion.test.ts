import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

describe('in a real bash, what may follow is completed', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'holdpoint-completion-'));
    symlinkSync(resolve(import.meta.dirname, '../../bin/holdpoint.js'), join(folder, 'holdpoint'));
    writeFileSync(join(folder, 'a plan.yaml'), '');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each<[string[], string[]]>([
    [['pa'], ['pause']],
    [['run', 'a'], ['a plan.yaml']],
    [['graph', '--format', '=', 's'], ['svg']],
    [
      ['graph', '--format', '='],
      ['text', 'mermaid', 'svg', 'json'],
    ],
    [['show', ''], []],
  ])('%j: %j', (words, expected) => {
    const script = `source <(holdpoint completion bash)
      COMP_WORDS=(holdpoint "$@"); COMP_CWORD=$#
      _holdpoint holdpoint
      printf '%s\\n' "\${COMPREPLY[@]}"`;
    const told = execFileSync('bash', ['--norc', '-c', script, 'bash', ...words], {
      cwd: folder,
      env: { PATH: `${folder}:${process.env.PATH}`, HOLDPOINT_HOME: join(folder, 'home') },
      encoding: 'utf8',
      timeout: 30_000,
    });
    expect(told.split('\n').filter(Boolean)).toEqual(expected);
  });
});
