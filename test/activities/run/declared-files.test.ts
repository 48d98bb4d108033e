import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type DeclaredFiles, filesStillThere } from '../../../src/activities/run/declared-files.ts';
import { findFiles } from '../../../src/activities/run/find-files.ts';
import { loadStored } from '../../../src/activities/stored-values.ts';
import { tempDir } from '../../support/world.ts';
import { place } from '../attempts.ts';

const kept = (text: string) => ({
  sha256: createHash('sha256').update(text).digest('hex'),
  bytes: Buffer.byteLength(text),
});

function folderWith(...paths: string[]): string {
  const root = tempDir('files');
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), path);
  }
  return root;
}

async function found(root: string, pattern: string): Promise<string[]> {
  const list: string[] = [];
  for await (const path of findFiles(root, pattern)) list.push(path);
  return list.sort();
}

describe('patterns', () => {
  const root = folderWith(
    'a.txt',
    'b.md',
    '.hidden.txt',
    'd/a.txt',
    'd/e/f/a.txt',
    'd/.git/a.txt',
    'd/[x]*.txt',
    'd/é😀.txt',
  );
  symlinkSync('d', join(root, 'link'));
  test.each<[string, string[]]>([
    ['a.txt', ['a.txt']],
    ['./d//a.txt', ['d/a.txt']],
    ['none.txt', []],
    ['d', []],
    ['*.txt', ['a.txt']],
    ['.*.txt', ['.hidden.txt']],
    ['?.*', ['a.txt', 'b.md']],
    ['d/*', ['d/[x]*.txt', 'd/a.txt', 'd/é😀.txt']],
    ['d/??.txt', ['d/é😀.txt']],
    ['d/[x]\\*.txt', ['d/[x]*.txt']],
    ['**/a.txt', ['a.txt', 'd/a.txt', 'd/e/f/a.txt']],
    ['d/**/a.txt', ['d/a.txt', 'd/e/f/a.txt']],
    ['d/e/**', ['d/e/f/a.txt']],
    ['**/**/f/**/**', ['d/e/f/a.txt']],
    ['d/.git/**', ['d/.git/a.txt']],
    ['link/a.txt', ['link/a.txt']],
    ['*/a.txt', ['d/a.txt']],
  ])('%s', async (pattern, paths) => expect(await found(root, pattern)).toEqual(paths));

  test('a pattern made to hurt takes no time', async () => {
    const name = 'a'.repeat(250);
    const began = performance.now();
    expect(await found(folderWith(`d/${name}`), `d/${'*a'.repeat(100)}b`)).toEqual([]);
    expect(performance.now() - began).toBeLessThan(1_000);
  });
});

describe('declared files of a task', () => {
  test('each is hashed, and a copy kept that later changes do not reach', async () => {
    const { run, work, store } = place();
    const outputs = await run('mkdir d; printf one > d/1.txt; printf two > d/2.txt; printf x > y', {
      outputs: ['d/*.txt', 'd/1.txt', 'y'],
    });
    const files = { 'd/1.txt': kept('one'), 'd/2.txt': kept('two'), y: kept('x') };
    expect(outputs).toEqual({ stdout: '', exit_code: 0, files });
    appendFileSync(join(work, 'd/1.txt'), 'more');
    expect(await store.text({ $stored: { ...files['d/1.txt'], head: '', tail: '' } })).toBe('one');
  });

  test('what a killed attempt left is cleared before the next begins (case 32)', async () => {
    const { run, work } = place();
    mkdirSync(join(work, 'd/e'), { recursive: true });
    for (const path of ['out.txt', 'd/old.txt', 'd/e/old.txt', 'd/kept.md']) writeFileSync(join(work, path), 'half');
    const script = 'for i in 1 2 3; do echo $i >> out.txt; done; ls -R d > d/new.txt';
    await run(script, { outputs: ['out.txt', 'd/**/*.txt'] });
    expect(readFileSync(join(work, 'out.txt'), 'utf8')).toBe('1\n2\n3\n');
    expect(readFileSync(join(work, 'd/new.txt'), 'utf8')).not.toContain('old');
    expect(existsSync(join(work, 'd/kept.md'))).toBe(true);
  });

  test.each([
    ['true', 'a.txt', 'outputs: no file a.txt was made'],
    ['touch a.txt', 'b/*.txt', 'outputs: no file b/*.txt was made'],
    ['mkdir d; touch d/a', 'd', 'outputs: d is a folder; write d/** for what is in it'],
    ['ln -s nothing a.txt', 'a.txt', 'outputs: a.txt is a link to nothing'],
    ['mkfifo a.txt', 'a.txt', 'outputs: a.txt is not a file'],
    ['ln -s /etc/hostname a.txt', 'a.txt', 'outputs: a.txt leads out of the working directory'],
    ['ln -s /etc d', 'd/hostname', 'outputs: d leads out of the working directory'],
  ])('after %s, %s fails the task', async (script, pattern, message) => {
    await expect(place().run(script, { outputs: [pattern] })).rejects.toThrow(message);
  });

  test('nothing is cleared through a link that leads out', async () => {
    const { run, work } = place();
    const outside = folderWith('precious.txt');
    mkdirSync(work);
    symlinkSync(outside, join(work, 'd'));
    symlinkSync(join(outside, 'precious.txt'), join(work, 'l.txt'));
    await expect(run('true', { outputs: ['d/precious.txt'] })).rejects.toThrow('leads out');
    await expect(run('true', { outputs: ['d/*.txt'] })).rejects.toThrow('leads out');
    await expect(run('true', { outputs: ['l.txt', '**/precious.txt'] })).rejects.toThrow('no file l.txt was made');
    expect(existsSync(join(outside, 'precious.txt'))).toBe(true);
    expect(existsSync(join(work, 'l.txt'))).toBe(false);
  });

  test('values in a path stand for themselves, and cannot lead elsewhere', async () => {
    const { run, work } = place();
    mkdirSync(join(work, 'd'), { recursive: true });
    writeFileSync(join(work, 'd/other'), '');
    const made = (v: string) =>
      run('echo > "d/$N"', { outputs: ['d/${{ inputs.v }}'] }, { inputs: { v }, env: { N: v } });
    expect(await made('*')).toMatchObject({ files: { 'd/*': { bytes: 1 } } });
    expect(existsSync(join(work, 'd/other'))).toBe(true);
    await expect(made('../../x')).rejects.toMatchObject({ final: true, message: expect.stringContaining('lead out') });
  });

  test('of many files the list goes by reference', async () => {
    const { run, store } = place();
    const outputs = await run('mkdir d; for i in {1..200}; do echo $i > d/$i; done', { outputs: ['d/*'] });
    expect(outputs).toMatchObject({ files: { $stored: { json: true } } });
    const { files } = (await loadStored(outputs, store)) as unknown as { files: DeclaredFiles };
    expect(files['d/7']).toEqual(kept('7\n'));
    const script = 'echo ${{ size(tasks.b.outputs.files) }} ${{ tasks.b.outputs.files["d/7"].bytes }}';
    expect(await run(script, {}, { outputs: { b: outputs as object as never } })).toMatchObject({ stdout: '200 2' });
  });

  test('more than ten thousand are refused', async () => {
    await expect(place().run('mkdir d; touch d/{1..10001}', { outputs: ['d/*'] })).rejects.toThrow(
      'more than 10000 files',
    );
  });
});

test('files that are gone, that differ or that lead out now are told', async () => {
  const root = folderWith('same', 'gone', 'longer', 'changed', 'link', 'dir/inner');
  const files = Object.fromEntries(
    ['same', 'gone', 'longer', 'changed', 'link', 'dir/inner'].map((path) => [path, kept(path)]),
  );
  expect(await filesStillThere(root, files)).toEqual([]);
  rmSync(join(root, 'gone'));
  appendFileSync(join(root, 'longer'), '!');
  writeFileSync(join(root, 'changed'), 'CHANGED');
  rmSync(join(root, 'link'));
  symlinkSync(join(folderWith('link'), 'link'), join(root, 'link'));
  rmSync(join(root, 'dir'), { recursive: true });
  writeFileSync(join(root, 'dir'), '');
  expect(await filesStillThere(root, files)).toEqual(['gone', 'longer', 'changed', 'link', 'dir/inner']);
});
