import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { until } from '../support/world.ts';
import { violations } from './support/axe.ts';
import { newContext, openPage, useConsole } from './support/console.ts';

const it = useConsole();
const FILE = `# why: it is tried
plan: 1
name: filed
inputs:
  where: { type: string, default: here }
  many: { type: integer }
tasks:
  good: { run: "echo \${{ inputs.many }}" }
  bad: { needs: good, run: "exit 3" }
`;

async function failed(): Promise<string> {
  const { json } = await it.api.post('/api/plans', { plan: FILE, inputs: { many: 3 } });
  await until('it failed', async () => (await it.api.state(json.plan_id)) === 'failed');
  return json.plan_id;
}

test('the plan file is shown as it was given, with a mark where a task failed, and what the run was given', async () => {
  const page = await openPage(it, `plans/${await failed()}?view=file`);
  const editor = page.getByRole('textbox', { name: 'Plan file' });
  await editor.waitFor();
  expect(await page.locator('.cm-line').allTextContents()).toEqual(FILE.split('\n'));
  await until(
    'the task is marked',
    async () => (await page.locator('.cm-lintRange-error').allTextContents()).join() === 'bad',
  );
  await page.locator('.cm-lintRange-error').hover();
  await page.getByText('bad failed: exit code 3').waitFor();
  await editor.click();
  await page.keyboard.type('not to be written');
  expect(await page.locator('.cm-line').allTextContents()).toEqual(FILE.split('\n'));
  const row = (name: string) =>
    page
      .getByRole('row', { name: new RegExp(`^${name} `) })
      .getByRole('cell')
      .allTextContents();
  expect(await row('where')).toEqual(['where', 'here', 'its default']);
  expect(await row('many')).toEqual(['many', '3', 'given']);
  expect(await violations(page)).toEqual([]);
});

test('it is copied and downloaded', async () => {
  const context = await newContext(it, { permissions: ['clipboard-read', 'clipboard-write'] });
  const page = await context.newPage();
  await page.goto(`${it.url}/console/plans/${await failed()}?view=file`);
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(FILE);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('filed.yaml');
  expect(readFileSync(await file.path(), 'utf8')).toBe(FILE);
});
