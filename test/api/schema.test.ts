import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { mustConform } from '../support/conforms.ts';
import { serve } from './serve.ts';

test('the JSON Schema of plan files is served to anybody: the one that editors find in schema/', async () => {
  const { ask } = await serve({}, { callerOf: () => Promise.reject(new Error('nobody')) });
  const answer = await ask('GET /schema/plan.json');
  mustConform('GET /schema/plan.json', answer);
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/schema+json; charset=utf-8']);
  expect(answer.json).toEqual(JSON.parse(readFileSync('schema/plan-1.schema.json', 'utf8')));
  const again = await ask('GET /schema/plan.json', { headers: { 'if-none-match': answer.headers.etag! } });
  expect([again.status, again.text]).toEqual([304, '']);
});
