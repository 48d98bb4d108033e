import { expect } from 'vitest';
import { Fault } from '../../src/faults.ts';
import { readCatalog } from '../../src/program/catalog.ts';
import { commitId } from '../../src/program/commit.ts';
import { compile } from '../../src/program/compile.ts';
import { dryRunText } from '../../src/program/dry-run-text.ts';
import { parseProgram } from '../../src/program/parse.ts';
import { promptHash } from '../../src/program/prompt-hash.ts';
import { reviewOf } from '../../src/program/review.ts';
import { teachingOf } from '../../src/program/teaching.ts';
import { HASH, world } from '../program/world.ts';

/** Processor time, not time on the wall: what else the machine does must not fail a case. */
const MOST_CPU_MS = 4_000;

/** A program is compiled, always to the same, reviewed and shown; or refused with places that are in the text. */
export function programHolds(text: string): void {
  const first = programIsRead(text);
  if (first === undefined) return;
  expect(read(text)).toBe(first);
  // White space around it, and a comment behind it, mean nothing.
  expect(read(`\n\t ${text.replace(/^\uFEFF/, '')}\n;; end`)).toBe(first);
}

/** The same without reading it again, for texts as large as they may be. */
export function programIsRead(text: string): string | undefined {
  const before = process.cpuUsage();
  const commit = read(text);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000, 'ms of processor time').toBeLessThan(MOST_CPU_MS);
  return commit;
}

function read(text: string): string | undefined {
  try {
    const parsed = parseProgram(text);
    if (parsed.kind !== 'program') return undefined;
    const compiled = compile(parsed.ast, world, HASH);
    const { dag, unused } = compiled;
    expect(JSON.parse(JSON.stringify(dag))).toEqual(dag);
    expect(dag.nodes.map(({ id }) => id)).toEqual(dag.topological_order);
    const review = reviewOf(dag, { unused });
    expect(dryRunText(compiled, review)).not.toMatch(/undefined|\[object |NaN/);
    return commitId(dag);
  } catch (error) {
    mustBePlaced(error, text);
    return undefined;
  }
}

function mustBePlaced(error: unknown, text: string, code = 'PROGRAM_INVALID'): void {
  if (!(error instanceof Fault)) throw error;
  expect(error.code).toBe(code);
  const { errors = [] } = error;
  expect(errors.length).toBeGreaterThan(0);
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  for (const { message, line = 0, column = 0 } of errors) {
    expect(message.trim()).not.toBe('');
    expect(message).not.toMatch(/\n|\p{Surrogate}/u);
    expect(message.replace(/`[^`]*`|"(?:[^"\\]|\\.)*"/g, '')).not.toMatch(/\bat \S+:\d+:\d+|undefined|\[object |NaN/);
    expect(line).toBeGreaterThanOrEqual(1);
    expect(line).toBeLessThanOrEqual(lines.length);
    expect(column).toBeGreaterThanOrEqual(1);
    expect(column).toBeLessThanOrEqual(lines[line - 1]!.length + 1);
  }
}

/** A catalog is read, its hash is the one of what was read, and it can be taught; or it is refused with places. */
export function catalogHolds(text: string): void {
  try {
    const catalog = readCatalog(text);
    expect(readCatalog(JSON.stringify(catalog))).toEqual(catalog);
    expect(teachingOf(catalog, promptHash(catalog))).not.toMatch(/undefined|\[object |NaN/);
  } catch (error) {
    mustBePlaced(error, text, 'CATALOG_INVALID');
  }
}
