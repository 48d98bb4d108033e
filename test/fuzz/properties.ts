import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { renderScriptTemplate, ShellTemplateError } from '../../src/activities/run/shell-template.ts';
import { Fault } from '../../src/faults.ts';
import {
  ExpressionError,
  evaluate,
  references,
  renderTemplate,
  type Scope,
  splitTemplate,
} from '../../src/plan/expression.ts';
import { readDocument } from '../../src/service/plan-file/document.ts';
import { readPlanFile } from '../../src/service/plan-file.ts';

/** Processor time, not time on the wall: what else the machine does must not fail a case. */
const MOST_CPU_MS = 1_000;

function soon<T>(work: () => T): T {
  const before = process.cpuUsage();
  const value = work();
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000, 'ms of processor time').toBeLessThan(MOST_CPU_MS);
  return value;
}

type Read = { definition: unknown } | { problems: string[] };

function read(text: string): Read {
  try {
    return { definition: readPlanFile(text).definition };
  } catch (error) {
    expect(error).toBeInstanceOf(Fault);
    const { code, errors = [] } = error as Fault;
    expect(code).toBe('PLAN_INVALID');
    expect(errors.length).toBeGreaterThan(0);
    const lines = text.replace(/^\uFEFF/, '').split('\n');
    for (const { message, line = 0, column = 0, path } of errors) {
      expect(message.trim()).not.toBe('');
      expect(message).not.toMatch(/\n/);
      // What is quoted may be anything that the file says.
      expect(message.replace(/`[^`]*`|"[^"]*"/g, '')).not.toMatch(/\bat \S+:\d+:\d+|undefined|\[object |NaN/);
      expect(Array.isArray(path)).toBe(true);
      expect(line).toBeGreaterThanOrEqual(1);
      expect(line).toBeLessThanOrEqual(lines.length);
      expect(column).toBeGreaterThanOrEqual(1);
      expect(column).toBeLessThanOrEqual(lines[line - 1]!.length + 1);
    }
    return { problems: errors.map(({ message }) => message).sort() };
  }
}

/** A plan file is read, or refused with places; and what it says as JSON is read, or refused, as the same. */
export function planFileHolds(text: string): void {
  const found = soon(() => read(text));
  const { content, faults } = readDocument(text);
  if (content === undefined || faults.length > 0) return;
  expect(read(JSON.stringify(content))).toEqual(found);
}

const SCOPE: Scope = {
  inputs: { n: 3, ratio: 1.5, name: 'Ada', list: [1, 2, 3], 'a-b': true, nothing: null, map: { a: { b: [] } } },
  tasks: { build: { status: 'succeeded', outputs: { tag: 'v1', files: [{ path: 'a' }] } } },
  plan: { id: 'p', name: 'release', run: 2 },
};

/** An expression is computed to plain JSON, always the same, or refused in one line. */
export function expressionHolds(text: string): void {
  const parsed = soon(() => orRefused(() => references(text)));
  orRefused(() => splitTemplate(text));
  if (!parsed) return;
  for (const name of [...parsed.inputs, ...parsed.tasks, ...parsed.unknown]) expect(typeof name).toBe('string');
  const value = soon(() => orRefused(() => ({ is: evaluate(text, SCOPE) })));
  if (!value) return;
  expect(JSON.parse(JSON.stringify(value))).toEqual(value);
  expect(evaluate(text, SCOPE)).toEqual(value.is);
}

/** Text with expressions in it is filled in, or refused in one line. */
export function templateHolds(text: string): void {
  const parts = orRefused(() => splitTemplate(text));
  const readable = parts?.every((part) => 'text' in part || orRefused(() => references(part.expression)));
  if (readable) soon(() => orRefused(() => renderTemplate(text, SCOPE)));
}

function orRefused<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ShellTemplateError)) expect(error).toBeInstanceOf(ExpressionError);
    expect((error as Error).message).not.toMatch(/undefined|\[object |NaN/);
    return undefined;
  }
}

/** Would make a file if any of it ran, wherever it stands. */
const ATTACK = `a[$(: > ran)]'"\`: > ran\`$(: > ran)\n: > ran\nEND\n: > ran #\\`;
const VALUES: Scope = { ...SCOPE, inputs: { v: ATTACK, w: "'; : > ran; '", n: 7 } };

/** Whatever the script, nothing of a value that stands in it runs. The scripts are made of words that change nothing. */
export function scriptHolds(script: string): void {
  const rendered = soon(() => orRefused(() => renderScriptTemplate(script, VALUES)));
  if (rendered === undefined || rendered.includes('\0')) return;
  const directory = mkdtempSync(join(tmpdir(), 'holdpoint-fuzz-'));
  try {
    const options = { cwd: directory, env: { PATH: '/nonexistent' }, input: rendered, timeout: 10_000 } as const;
    spawnSync('/bin/bash', ['-e'], { ...options, stdio: ['pipe', 'ignore', 'ignore'] });
    expect(existsSync(join(directory, 'ran')), 'a value ran').toBe(false);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
