import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const SRC = resolve(import.meta.dirname, '../src');

/** What each part may import: parts of the project, and packages by name. A part is a folder or a file of `src`. */
const MAY_IMPORT: Record<string, { parts: string[]; files?: RegExp; packages?: RegExp }> = {
  faults: { parts: [], packages: /^$/ },
  origin: { parts: ['faults'], packages: /^node:/ },
  'timed-signal': { parts: [], packages: /^$/ },
  config: { parts: ['faults', 'identity-config', 'plan'], packages: /^node:/ },
  'identity-config': { parts: ['faults'], packages: /^node:/ },
  identity: { parts: ['identity-config', 'service', 'faults', 'origin'] },
  plan: { parts: [], packages: /^$/ },
  contract: { parts: ['plan'], packages: /^$/ },
  // Pure: of other parts only what reads texts and checks words, which stands on nothing that acts.
  program: {
    parts: ['plan', 'faults'],
    files:
      /^(service\/plan-file\/(describe|document|nearest|plain-json|problems|schema-problems)|activities\/http\/words)\.ts$/,
    packages: /^(ohm-js|zod|node:crypto)$/,
  },
  workflows: { parts: ['plan', 'contract'], packages: /^@temporalio\/(workflow|common)$/ },
  home: { parts: ['faults', 'config'] },
  worktree: { parts: ['contract', 'home'] },
  activities: { parts: ['plan', 'program', 'contract', 'home', 'worktree', 'timed-signal'] },
  service: { parts: ['plan', 'program', 'contract', 'activities', 'worktree', 'faults'] },
  temporal: { parts: ['config', 'faults', 'home', 'contract'] },
  worker: { parts: ['activities', 'plan', 'contract', 'service', 'home', 'worktree'] },
  // A client of the public API: of the program it shares only tables that stand on nothing.
  console: { parts: ['plan'] },
  api: { parts: ['service', 'plan', 'contract', 'faults', 'config', 'origin'] },
  mcp: { parts: ['service', 'plan', 'contract', 'faults', 'timed-signal'] },
  engine: {
    parts: [
      ...[
        'api',
        'mcp',
        'identity',
        'identity-config',
        'worker',
        'service',
        'activities',
        'temporal',
        'home',
        'config',
        'faults',
      ],
      ...['contract', 'plan'],
    ],
  },
  cli: {
    parts: ['engine', 'mcp', 'identity', 'service', 'home', 'plan', 'contract', 'faults', 'config', 'activities'],
  },
};
/** Files of `plan` and `contract` that stand on a library; everything else there stands on nothing. */
const LIBRARIES: Record<string, RegExp> = {
  'plan/schema.ts': /^zod$/,
  'plan/kind.ts': /^zod$/,
  'plan/expression.ts': /^@marcbachmann\/cel-js$/,
  'plan/form.ts': /^@cfworker\/json-schema$/,
  'contract/packed.ts': /^(fflate|js-base64)$/,
};
const TEMPORAL_CLIENT = /^@temporalio\/client$/;
const CLIENT_USERS = /^(service|worker|engine|temporal)\//;

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
const partOf = (file: string) => file.split('/')[0]!.replace(/\.ts$/, '');

function importsOf(file: string): { to: string; typeOnly: boolean }[] {
  const text = readFileSync(join(SRC, file), 'utf8');
  const found = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\s+(type\s)?[^'"]*?from\s+['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/g,
  );
  return [...found].map(([, type, from, dynamic]) => ({ to: (from ?? dynamic)!, typeOnly: type !== undefined }));
}

describe.each(files)('%s', (file) => {
  const rule = MAY_IMPORT[partOf(file)];

  test('belongs to a part that the rules name', () => expect(rule).toBeDefined());

  test('imports only what its part may', () => {
    const wrong = importsOf(file).flatMap(({ to }) => {
      if (to.startsWith('.')) {
        const path = relative(SRC, resolve(SRC, dirname(file), to));
        const target = partOf(path);
        return target === partOf(file) || rule!.parts.includes(target) || rule!.files?.test(path) ? [] : [to];
      }
      const allowed = LIBRARIES[file] ?? rule!.packages;
      return allowed && !allowed.test(to) ? [to] : [];
    });
    expect(wrong).toEqual([]);
  });

  test('uses the Temporal client only where plans are started, signalled and recovered', () => {
    const uses = importsOf(file).some(({ to, typeOnly }) => TEMPORAL_CLIENT.test(to) && !typeOnly);
    if (uses) expect(file).toMatch(CLIENT_USERS);
  });
});

test('workflow code reaches neither activities nor zod, however far one follows its imports', () => {
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const { to, typeOnly } of importsOf(file)) {
      if (typeOnly) continue;
      expect(to, file).not.toBe('zod');
      if (to.startsWith('.')) visit(relative(SRC, resolve(SRC, dirname(file), to)));
    }
  };
  visit('workflows/index.ts');
  expect([...seen].filter((file) => file.startsWith('activities/'))).toEqual([]);
  expect(seen.size).toBeGreaterThan(15);
});

test('no signal is joined to one of AbortSignal.timeout, which is garbage collected before its time', () => {
  for (const file of files.filter((file) => /AbortSignal\.any\(/.test(readFileSync(join(SRC, file), 'utf8'))))
    expect(readFileSync(join(SRC, file), 'utf8'), file).not.toContain('AbortSignal.timeout');
});

test('workflow code keeps no state of its own between plans', () => {
  for (const file of files.filter((file) => /^(workflows|plan|contract)\//.test(file)))
    expect(readFileSync(join(SRC, file), 'utf8'), file).not.toMatch(/^(export )?let /m);
});
