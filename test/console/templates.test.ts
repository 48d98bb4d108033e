import { expect, test } from 'vitest';
import { declaredInputs } from '../../src/console/new-plan/declared-inputs.ts';
import { TEMPLATES } from '../../src/console/new-plan/templates.ts';
import { readPlanFile } from '../../src/service/plan-file.ts';

test.each(TEMPLATES)('the example "$name" is a plan file without a problem', async ({ text }) => {
  const required = (await declaredInputs(text))?.required ?? [];
  const inputs = Object.fromEntries(required.map((name) => [name, 'x']));
  expect(readPlanFile(text, { inputs }).definition.tasks.length).toBeGreaterThan(2);
});
