import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/plan/json.ts';
import { readPlanFile } from '../../src/service/plan-file.ts';
import { problemsOf } from './plan-file-marks.ts';

const file = (inputs: string) => `plan: 1\nname: x\ntasks: { a: { run: x } }\ninputs:\n  ${inputs}\n`;
const read = (inputs: string, given: JsonObject = {}) => readPlanFile(file(inputs), { inputs: given }).inputs;
const said = (inputs: string, given: JsonObject = {}) =>
  problemsOf(file(inputs), given).map(
    ({ path, line, column, message }) =>
      `${path.join('.')} ${line === undefined ? 'given' : `${line}:${column}`} ${message}`,
  );

describe('a value given as text is read as what the input asks for', () => {
  test.each<[type: string, text: string, value: Json]>([
    ['string', '5', '5'],
    ['number', '1.5', 1.5],
    ['number', '-2e3', -2_000],
    ['integer', '7', 7],
    ['boolean', 'true', true],
    ['boolean', 'false', false],
    ['array', '[1, "a"]', [1, 'a']],
    ['object', '{"a": null}', { a: null }],
  ])('%s %s', (type, text, value) => expect(read(`v: { type: ${type} }`, { v: text })).toEqual({ v: value }));
});

describe('a value that is not what the input asks for is refused', () => {
  test.each<[type: string, value: Json, message: string]>([
    ['string', 5, 'the number 5 is not text'],
    ['number', '0x10', '"0x10" is not a number'],
    ['number', '', '"" is not a number'],
    ['number', 'Infinity', '"Infinity" is not a number'],
    ['integer', '1.5', 'the number 1.5 is not a whole number'],
    ['boolean', 'yes', '"yes" is not true or false'],
    ['boolean', null, 'empty is not true or false'],
    ['array', '{}', 'a map is not a list'],
    ['object', '[1', '"[1" is not a map'],
    ['object', '{"a": {"__proto__": 1}}', 'the value has the key "__proto__", which is refused'],
    ['array', `${'['.repeat(40)}${']'.repeat(40)}`, 'the value is nested deeper than 32 levels'],
  ])('%s %j', (type, value, message) =>
    expect(said(`v: { type: ${type} }`, { v: value })).toEqual([`inputs.v given ${message}`]),
  );
});

test('defaults stand in for what is not given; what is neither given nor preset is asked for', () => {
  expect(read('{ a: { default: x }, b: { required: false }, c: { type: integer, default: 3 } }', { c: '4' })).toEqual({
    a: 'x',
    c: 4,
  });
  expect(said('v: {}')).toEqual(['inputs.v 5:3 the input "v" is missing; give it a value']);
  expect(said('v: { default: x, required: true }')).toEqual(['inputs.v 5:3 the input "v" is missing; give it a value']);
});

test('only declared inputs are taken, with a hint at the one that was meant', () => {
  expect(said('version: { default: x }', { vresion: 'y' })).toEqual([
    'inputs.vresion given the plan has no input "vresion"; did you mean "version"?',
  ]);
  expect(said('version: { default: x }', { toString: 'y' })).toEqual([
    'inputs.toString given the plan has no input "toString"',
  ]);
});

test('a value has to be one of those that the input allows', () => {
  expect(read('v: { enum: [dev, prod] }', { v: 'dev' })).toEqual({ v: 'dev' });
  expect(said('v: { enum: [dev, prod] }', { v: 'x' })).toEqual(['inputs.v given "x" is none of "dev", "prod"']);
});

test('what the plan says about its inputs is checked too', () => {
  expect(said('v: string')).toEqual(['inputs.v 5:6 an input is described by a map, such as { type: string }']);
  expect(said('v: { type: strng, default: 3 }')).toEqual([
    'inputs.v.type 5:14 is the text "strng"; it has to be one of string, number, integer, boolean, array, object',
  ]);
  expect(said('v: { type: integer, default: 1.5, enum: [1, a] }')).toEqual([
    'inputs.v.default 5:32 is the number 1.5; it has to be a whole number',
    'inputs.v.enum.1 5:47 is the text "a"; it has to be a whole number',
  ]);
  expect(said('v: { defualt: 3 }')).toEqual(['inputs.v.defualt 5:8 unknown word "defualt"; did you mean "default"?']);
});
