import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { evaluate } from '../../../src/plan/expression.ts';
import { composePipeline } from '../../../src/service/pipelines/compose.ts';
import { rewriteExpression, rewriteText } from '../../../src/service/pipelines/expressions.ts';
import { agentOf, TEMPLATES } from '../../../src/service/pipelines/names.ts';
import { readTemplates } from '../../../src/service/pipelines/templates.ts';
import { readPlanFile } from '../../../src/service/plan-file.ts';

const shipped = join(import.meta.dirname, '../../../pipelines');
const given = { message: 'Build a shop', chat_id: 'c' };
const ownWith = (files: Record<string, string>) => {
  const own = mkdtempSync(join(tmpdir(), 'pipelines-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(own, name), text);
  return own;
};
const shippedText = (name: string) => readFileSync(join(shipped, `${name}.yaml`), 'utf8');

describe('the shipped pipelines', () => {
  it('are valid, and so is the plan file made of them', async () => {
    const templates = await readTemplates({ own: undefined, shipped });
    expect(Object.keys(templates)).toEqual([...TEMPLATES]);
    const { definition } = readPlanFile(JSON.stringify(composePipeline(templates)), { inputs: given });
    const ids = definition.tasks.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.slice(0, 3)).toEqual(['classify', 'build_research', 'build_architect']);
    expect(ids.every((id) => agentOf(id))).toBe(true);
  });

  it('give every agent a system prompt of its own', async () => {
    const { tasks } = composePipeline(await readTemplates({ own: undefined, shipped }));
    const prompts = Object.values(tasks as Record<string, { llm?: { system: string } }>).flatMap(({ llm }) =>
      llm ? [llm.system] : [],
    );
    expect(prompts.length).toBeGreaterThan(15);
    expect(new Set(prompts).size).toBe(prompts.length);
  });

  it('order the agents of a build, with the reviewers beside each other', async () => {
    const { tasks } = composePipeline(await readTemplates({ own: undefined, shipped })) as {
      tasks: Record<string, { needs: string[] }>;
    };
    expect(tasks.build_research!.needs).toEqual(['classify']);
    expect(tasks.build_qa!.needs).toEqual(tasks.build_security!.needs);
    expect(tasks['finish_remediation-1']!.needs).toEqual([
      'build_code-review',
      'build_security',
      'build_qa',
      'fix_styling',
      'fix_code-review',
      'fix_security',
      'fix_qa',
      'question_answer',
    ]);
  });

  const scopes = [
    ['build', 'full', true, ['frontend-dev', 'backend-dev', 'styling']],
    ['build', 'full', false, ['frontend-dev', 'styling']],
    ['build', 'backend', true, ['backend-dev']],
    ['build', 'frontend', true, ['frontend-dev', 'styling']],
    ['fix', 'styling', false, ['styling']],
    ['fix', 'full', false, ['frontend-dev', 'backend-dev']],
    ['question', 'full', false, []],
  ] as const;
  it.each(scopes)('%s of %s, backend %s: %j develop', async (intent, scope, needsBackend, developers) => {
    const { tasks } = composePipeline(await readTemplates({ own: undefined, shipped })) as {
      tasks: Record<string, { if?: string }>;
    };
    const outputs = { json: { intent, scope, needsBackend } };
    const asked = {
      inputs: {},
      tasks: { classify: { status: 'succeeded', outputs } },
      plan: { id: '', name: '', run: 1 },
    };
    const wanted = ['build', 'fix'].flatMap((template) =>
      ['frontend-dev', 'backend-dev', 'styling'].flatMap((name) =>
        evaluate(tasks[`${template}_${name}`]!.if!, asked) === true ? [name] : [],
      ),
    );
    expect(wanted).toEqual(developers);
  });
});

describe("a user's own directory", () => {
  it('takes the place of a shipped template by its name, and leaves the others', async () => {
    const question = shippedText('question').replace('  answer:', '  expert:');
    const templates = await readTemplates({ own: ownWith({ 'question.yaml': question }), shipped });
    const { tasks } = composePipeline(templates) as { tasks: object };
    expect(tasks).toHaveProperty('question_expert');
    expect(tasks).not.toHaveProperty('question_answer');
    expect(tasks).toHaveProperty('build_research');
  });

  it('has a budget for a whole run in the template that every run begins with, and in no other', async () => {
    const withBudget = (name: string) =>
      ownWith({ [`${name}.yaml`]: `budget: { max_tokens: 50000 }\n${shippedText(name)}` });
    const templates = await readTemplates({ own: withBudget('classify'), shipped });
    const { budget } = readPlanFile(JSON.stringify(composePipeline(templates)), { inputs: given });
    expect(budget).toEqual({ max_tokens: 50_000 });
    await expect(readTemplates({ own: withBudget('fix'), shipped })).rejects.toMatchObject({
      message: expect.stringMatching(/fix\.yaml: line 1.*put it into classify\.yaml/),
    });
  });

  const bad = {
    'a word that is none': ['build.yaml', /max_output/, 'max_outptu_tokens'],
    'a task that is not there': ['fix.yaml', /needs: \[frontend-dev\]/, 'needs: [nobody]'],
    'a plan file with more than a template has': ['question.yaml', /^inputs:/m, 'deadline: 5m\ninputs:'],
    'a classification without scope': ['classify.yaml', / {10}scope: .*\n/, ''],
  } as const;
  it.each(Object.entries(bad))('is refused with file and line for %s', async (_, [file, from, to]) => {
    const text = shippedText(file.replace('.yaml', '')).replace(from, to);
    const own = ownWith({ [file]: text });
    await expect(readTemplates({ own, shipped })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringMatching(new RegExp(`${file}: .*line \\d+`)),
    });
  });

  it('is refused for an input that nobody gives', async () => {
    const text = shippedText('question').replace('  history:', '  colour: { type: string }\n  history:');
    const templates = await readTemplates({ own: ownWith({ 'question.yaml': text }), shipped });
    expect(() => composePipeline(templates)).toThrow(/question\.yaml: inputs\.colour is given by nobody/);
  });
});

describe('expressions of a template', () => {
  const renaming = {
    task: (id: string) => (id === 'a' || id === 'b-c' ? `build_${id}` : undefined),
    input: (name: string) => (name === 'scope' ? 'x.scope' : undefined),
  };
  const cases = [
    ['tasks.a.outputs.text', 'tasks.build_a.outputs.text'],
    ["tasks['b-c'].status", "tasks['build_b-c'].status"],
    ['tasks["b-c"].status', "tasks['build_b-c'].status"],
    ["'tasks.a' + tasks.a.status", "'tasks.a' + tasks.build_a.status"],
    ['has(tasks.a.outputs.json) && inputs.scope == "full"', 'has(tasks.build_a.outputs.json) && x.scope == "full"'],
    ['inputs.message', 'inputs.message'],
    ['item.tasks.a', 'item.tasks.a'],
    ['tasks.other.status', 'tasks.other.status'],
  ] as const;
  it.each(cases)('%s becomes %s', (from, to) => expect(rewriteExpression(from, renaming)).toBe(to));

  it('are rewritten in texts, and nothing else of them is', () => {
    expect(rewriteText('tasks.a: ${{ tasks.a.status }} $${{ tasks.a }}', renaming)).toBe(
      'tasks.a: ${{ tasks.build_a.status }} $${{ tasks.a }}',
    );
  });
});
