// How long a plan file takes to be read and checked, at 1,000 and at 10,000 tasks: whole, broken everywhere, as a chain, and dense.
import { readPlanFile } from '../dist/service/plan-file.js';
import { median, spread } from './engine.js';

const RUNS = Math.max(3, Number(process.env.RUNS ?? 5));
const file = (count, task) =>
  `plan: 1\nname: bench\ninputs: { v: { default: a } }\ntasks:\n${Array.from({ length: count }, (_, i) => `  task-${i}:${task(i)}\n`).join('')}`;
const needs = (i, many) => {
  const from = Math.max(0, i - many);
  return Array.from({ length: Math.min(i, many) }, (_, k) => `task-${from + k}`).join(', ');
};
const CASES = {
  'as plans are': (i) => `
    needs: [${needs(i, 2)}]
    if: inputs.v == "a"
    run: make${i ? ` \${{ tasks["task-${i - 1}"].status }}` : ''}
    retry: 3`,
  'a chain': (i) => ` { run: "true"${i ? `, needs: task-${i - 1}` : ''} }`,
  'a chain that reads its beginning': (i) =>
    ` { run: 'echo ${i ? '${{ tasks["task-0"].outputs.stdout }}' : ''}'${i ? `, needs: task-${i - 1}` : ''} }`,
  'dense: each needs 15': (i) => ` { run: "true", needs: [${needs(i, 15)}] }`,
  'faults in every task': (i) => ` { rnu: "echo \${{ inputs.x }}", needs: [nothing-${i}], timeout: soon }`,
  'faults in every expression': () => ` { run: "echo \${{ inputs.x = 1 }} \${{ tsks.a }} \${{ 1 + }}" }`,
  'a cycle': (i, count) => ` { run: "true", needs: task-${(i + 1) % count} }`,
  'sets of values': () => ` { set: { a: [1, 2, { b: "\${{ inputs.v }}" }], c: text, d: true } }`,
};

for (const [name, task] of Object.entries(CASES)) {
  const [small, large] = [1_000, 10_000].map((count) => measure(file(count, (i) => task(i, count))));
  const ratio = (median(large.times) / median(small.times)).toFixed(1);
  console.log(
    `${name}: ${(large.bytes / 1e6).toFixed(2)} MB, 10,000 tasks ${spread(large.times)}; 1,000 tasks ${spread(small.times)}; ratio ${ratio}`,
  );
}

function measure(text) {
  const times = Array.from({ length: RUNS }, () => {
    const began = performance.now();
    try {
      readPlanFile(text);
    } catch (error) {
      if (error.code !== 'PLAN_INVALID') throw error;
    }
    return performance.now() - began;
  });
  return { bytes: Buffer.byteLength(text), times };
}
