import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/plan/json.ts';
import { tempDir } from '../../support/world.ts';
import { place } from '../attempts.ts';

function at(files: Record<string, string>) {
  const directory = tempDir('env-file');
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  const run = (script: string, words: JsonObject, env = {}) =>
    place().run(script, words, { place: { directory, env: { PATH: process.env.PATH!, A: 'recorded' } }, env });
  return { directory, run };
}

test('its variables stand between the recorded ones and `env`; of several files the later wins', async () => {
  const { run } = at({
    'one.env': '# a comment\nA=file\nB="two words"\nexport C=\'$HOME\'\r\nD=one\nE=one',
    'two.env': '\uFEFFD=two',
  });
  expect(await run('echo "$A|$B|$C|$D|$E"', { env_file: ['one.env', 'two.env'] }, { E: 'plan' })).toMatchObject({
    stdout: 'file|two words|$HOME|two|plan',
  });
});

test('its path starts at the directory of the plan, wherever the task runs; each attempt reads it anew', async () => {
  const { directory, run } = at({ '.env': 'A=1' });
  mkdirSync(join(directory, 'sub'));
  const words = { env_file: '.env', working_directory: 'sub' };
  expect(await run('echo $A', words)).toMatchObject({ stdout: '1' });
  writeFileSync(join(directory, '.env'), 'A=2');
  expect(await run('echo $A', words)).toMatchObject({ stdout: '2' });
});

test('a line that sets nothing is refused with its place; comments, quotes and values of several lines are not', async () => {
  const { run } = at({
    bad: '# fine\nA=1\n\nnonsense here\n',
    nameless: 'A="one\ntwo"\n=x\n',
    good: "\uFEFFexport A=1 # one\nB = `two\nnot = a name`\nC='#3'\nD=\n  E=\"it's\"\n",
  });
  await expect(run('true', { env_file: 'bad' })).rejects.toThrow('env_file: bad:4: this is no NAME=value');
  await expect(run('true', { env_file: 'nameless' })).rejects.toThrow('env_file: nameless:3: this is no NAME=value');
  expect(await run('echo "$A|$B|$C|$D|$E"', { env_file: 'good' })).toMatchObject({
    stdout: "1|two\nnot = a name|#3||it's",
  });
});

test('a file that is gone, or is none, or names what is no variable is a failure, not an empty value', async () => {
  const { directory, run } = at({ '.env': 'A=1', bad: 'A-B=1', nul: 'A="x\0y"' });
  rmSync(join(directory, '.env'));
  await expect(run('echo $A', { env_file: '.env' })).rejects.toThrow(`there is no file .env in the plan's directory`);
  await expect(run('echo $A', { env_file: '.' })).rejects.toThrow('env_file: . is not a file');
  await expect(run('echo $A', { env_file: 'nul' })).rejects.toThrow('holds the character NUL');
});
