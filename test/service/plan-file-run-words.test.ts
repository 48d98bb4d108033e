import { describe, expect, test } from 'vitest';
import { readPlanFile } from '../../src/service/plan-file.ts';
import { checkCases } from './plan-file-marks.ts';

const task = (text: string) => `plan: 1\nname: x\ninputs: { v: { default: '' } }\ntasks:\n  a: ${text}\n`;
const WHOLE = 'would match every file there is; name a folder or an ending';
const OUT = 'must not lead out of the working directory';

describe('words that only `run` takes', () =>
  checkCases([
    [
      task('{ wait: 3s, ¦capture: json, ¦outputs: [f], ¦working_directory: d }'),
      '`capture` is for `run`, and this is `wait`; remove it',
      '`outputs` is for `run`, and this is `wait`; remove it',
      '`working_directory` is for `run`, and this is `wait`; remove it',
    ],
    [
      'plan: 1\nname: x\nsteps:\n  - { set: { v: 1 }, ¦outputs: [f] }',
      '`outputs` is for `run`, and this is `set`; remove it',
    ],
    [task('{ run: x, capture: ¦xml }'), 'is the text "xml"; it has to be one of text, json, lines, none'],
    [task('{ run: x, ¦captur: json }'), 'unknown word "captur"; did you mean "capture"?'],
    [
      'plan: 1\nname: x\ntasks:\n  ¦a: { capture: json }',
      'the task does nothing; it has to have one of run, http, llm, approve, input, checkpoint, wait, set, map, plan',
    ],
    [task('{ run: x, outputs: ¦f }'), 'is the text "f"; it has to be a list'],
    [task('{ run: x, outputs: ¦[] }'), 'names no file; remove it'],
    [task('{ run: x, outputs: [¦""] }'), 'is empty; name a file'],
    [task('{ run: x, outputs: [¦/etc/passwd] }'), 'must be relative to the working directory'],
    [task('{ run: x, outputs: [a, ¦../b, ¦a/../../b, ¦..] }'), OUT, OUT, OUT],
    [task('{ run: x, outputs: [¦dist/] }'), 'names a folder; name files, such as dist/**'],
    [task('{ run: x, outputs: [¦"**", ¦"*", ¦"**/*", ¦"*/**"] }'), WHOLE, WHOLE, WHOLE, WHOLE],
    [task('{ run: x, outputs: ["dist/${{ ¦inputs.w }}"] }'), 'there is no input "w"'],
    [task('{ run: x, working_directory: ¦"" }'), 'is empty; remove it'],
    [task('{ run: x, working_directory: "${{ ¦tasks.b.status }}" }'), 'there is no task "b"'],
  ]));

const define = (text: string) => readPlanFile(task(text)).definition.tasks[0]!;

test('they travel with the script, and decide whether finished work is reused', () => {
  const words = 'capture: json, outputs: ["d/**", "x-${{ inputs.v }}.txt"], working_directory: "${{ inputs.v }}"';
  expect(define(`{ run: x, ${words} }`).with).toEqual({
    script: 'x',
    capture: 'json',
    outputs: ['d/**', 'x-${{ inputs.v }}.txt'],
    working_directory: '${{ inputs.v }}',
  });
  expect(define('{ run: x }').with).toEqual({ script: 'x' });
  const marks = ['', ', capture: json', ', outputs: [f]', ', working_directory: d'];
  expect(new Set(marks.map((more) => define(`{ run: x${more} }`).fingerprint)).size).toBe(4);
});
