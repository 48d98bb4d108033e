import fc from 'fast-check';
import { parse, stringify } from 'yaml';

/** Pieces at which parsers break: YAML's own signs, odd characters and numbers, words of the format, half expressions. */
const PIECES = [
  ...['\n', '  ', '\t', '\r\n', '\r', '\0', '\uFEFF', '\u2028', '\u0085', '\ud800', '\udc00', '😀', '\u0007'],
  ...[
    ': ',
    '- ',
    '? ',
    '&a ',
    '*a',
    '*a ',
    '<<: ',
    '!!binary ',
    '!x ',
    '!!set ',
    '---\n',
    '...\n',
    '%YAML 1.1\n',
    '# ',
  ],
  ...['{', '}', '[', ']', ',', '"', "'", '|', '>', '|2-', '>+', '\\', '\\u', '\\x0', '@', '`', '~', '=', '=='],
  ...[
    '1e999',
    '-0',
    '0x1F',
    '0o7',
    '.inf',
    '.nan',
    '9007199254740993',
    '1_000',
    'null',
    'true',
    '2026-01-31',
    '1h',
    '0s',
  ],
  ...[
    '__proto__',
    'constructor',
    '$stored',
    'toString',
    'tasks: ',
    'steps: ',
    'run: ',
    'needs: ',
    'if: ',
    'map: ',
    'plan: ',
  ],
  ...[
    '${{',
    '}}',
    '${{ inputs.',
    '${{ tasks["',
    '$${{',
    '${{ secrets.',
    'x'.repeat(300),
    '['.repeat(40),
    '{a: '.repeat(40),
  ],
];
const piece = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...PIECES) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 5 }) },
);
const edit = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  cut: fc.nat(12),
  put: fc.option(piece, { nil: '' }),
});

/** Texts with some pieces cut out, put in or put twice. */
export const mutatedText = (seeds: readonly string[]): fc.Arbitrary<string> =>
  fc.tuple(fc.constantFrom(...seeds), fc.array(edit, { minLength: 1, maxLength: 6 })).map(([seed, edits]) => {
    let text = seed;
    for (const { at, cut, put } of edits) {
      const i = Math.floor(at * text.length);
      text = text.slice(0, i) + put + text.slice(i + cut);
    }
    return text;
  });

type Container = Record<string, unknown> | unknown[];
interface Change {
  where: number;
  what: 'remove' | 'replace' | 'rename' | 'copy' | 'nest' | 'add';
  from: number;
  value: unknown;
  key: string;
}

const key = fc.oneof(
  fc.constantFrom(
    ...[
      'run',
      'http',
      'approve',
      'input',
      'map',
      'plan',
      'tasks',
      'steps',
      'needs',
      'if',
      'env',
      'retry',
      'timeout',
      'set',
      'wait',
    ],
    ...[
      'id',
      'a',
      'build',
      'inputs',
      'secrets',
      'env_file',
      'budget',
      'llm',
      'task',
      'in',
      'as',
      '__proto__',
      'toString',
      '$stored',
    ],
    ...['rnu', 'ned', 'time_out', 'constructor', '', ' ', '1', 'a-b', 'é', '<<'],
  ),
  fc.string({ maxLength: 4 }),
);
const value = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -1,
    1.5,
    1e300,
    2 ** 53,
    '',
    [],
    {},
    'a',
    'build',
    '1h',
    '0s',
    '${{',
    'http:',
  ),
  fc.constantFrom(
    '${{ inputs.version }}',
    '${{ tasks.build.outputs.x }}',
    '${{ inputs.a = 1 }}',
    '${{ secrets.TOKEN }}',
    '${{ [1].map(x, x) }}',
  ),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary', maxLength: 8 }),
);
const change: fc.Arbitrary<Change> = fc.record({
  where: fc.nat(10_000),
  what: fc.constantFrom('remove', 'replace', 'rename', 'copy', 'nest', 'add'),
  from: fc.nat(10_000),
  value,
  key,
});

/** Plan files with parts removed, replaced, renamed, moved elsewhere; written as JSON, or as YAML in one style or another. */
export function mutatedTree(seeds: readonly string[]): fc.Arbitrary<string> {
  const trees = seeds.map((text) => parse(text, { merge: false }) as Container);
  const style = fc.constantFrom('json', 'spaced', 'block', 'flow', 'double', 'single');
  return fc
    .tuple(fc.constantFrom(...trees), fc.array(change, { minLength: 1, maxLength: 5 }), style)
    .map(([tree, changes, style]) => {
      let mutated: unknown = structuredClone(tree);
      for (const one of changes) mutated = changed(mutated, one);
      return written(mutated, style);
    });
}

function changed(tree: unknown, { where, what, from, value, key }: Change): unknown {
  const places = placesIn(tree);
  if (places.length === 0) return value;
  const { container, at } = places[where % places.length]!;
  const other = places[from % places.length]!;
  const slot = container as Record<string | number, unknown>;
  const put = (name: string | number, given: unknown) =>
    Object.defineProperty(slot, name, { value: given, enumerable: true, configurable: true, writable: true });
  if (what === 'remove') Array.isArray(container) ? container.splice(Number(at), 1) : delete slot[at];
  else if (what === 'replace') put(at, value);
  else if (what === 'copy') put(at, structuredClone((other.container as Record<string | number, unknown>)[other.at]));
  else if (what === 'nest') put(at, { [key]: slot[at] });
  else if (Array.isArray(container)) container.push(value);
  else {
    put(key, what === 'add' ? value : slot[at]);
    if (what === 'rename' && key !== at) delete slot[at];
  }
  return tree;
}

function placesIn(value: unknown, found: { container: Container; at: string | number }[] = []) {
  if (typeof value !== 'object' || value === null) return found;
  for (const [at, item] of Object.entries(value)) {
    found.push({ container: value as Container, at: Array.isArray(value) ? Number(at) : at });
    placesIn(item, found);
  }
  return found;
}

function written(value: unknown, style: string): string {
  if (style === 'json') return JSON.stringify(value) ?? 'null';
  if (style === 'spaced') return JSON.stringify(value, null, 2) ?? 'null';
  if (style === 'flow') return stringify(value, { collectionStyle: 'flow' });
  if (style === 'block') return stringify(value, { aliasDuplicateObjects: true });
  return stringify(value, { defaultStringType: style === 'double' ? 'QUOTE_DOUBLE' : 'QUOTE_SINGLE', lineWidth: 20 });
}

/** Texts in the tokens of a language, with seeds of it mutated. */
export const tokens = (words: readonly string[], seeds: readonly string[], joint = ''): fc.Arbitrary<string> =>
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 14 }).map((all) => all.join(joint)),
    },
    { weight: 3, arbitrary: mutatedText(seeds) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom(...seeds), fc.constantFrom(...words), fc.constantFrom(...seeds))
        .map(([a, b, c]) => a + b + c),
    },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  );
