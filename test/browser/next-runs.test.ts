import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { violations } from './support/axe.ts';
import { openPage, useConsole } from './support/console.ts';
import { readPlan } from './support/states.ts';

const it = useConsole();

const FILE = `plan: 1
name: delivery
inputs:
  size: { type: integer, default: 3 }
  where: { type: string }
tasks:
  fetch: { run: "echo fetched" }
  build: { needs: fetch, run: "exit \${{ inputs.size }}" }
  ship: { needs: build, run: "echo \${{ inputs.where }}" }
`;

/** A plan whose second of three tasks failed. */
async function failed(): Promise<string> {
  const { json } = await it.api.post('/api/plans', { plan: FILE, inputs: { where: 'Oslo' } });
  await expect.poll(() => it.api.state(json.plan_id), { timeout: 20_000 }).toBe('failed');
  return json.plan_id;
}

const dialog = (page: Page) => page.getByRole('dialog');
const list = (page: Page, name: string) => dialog(page).getByRole('list', { name }).getByRole('listitem');
const start = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true });
async function open(id: string, button: string): Promise<Page> {
  const page = await openPage(it, `plans/${id}`);
  await page.getByRole('region', { name: 'Controls' }).getByRole('button', { name: button }).click();
  await dialog(page).waitFor();
  return page;
}
const isOn = (page: Page, name: string) =>
  expect.poll(() => start(page, name).getAttribute('aria-disabled'), { timeout: 20_000 }).toBe(null);

/** The editor is one of rich text to the browser: all of it is chosen, and written anew. */
async function write(page: Page, text: string): Promise<void> {
  await dialog(page).getByRole('textbox', { name: 'Plan file' }).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Backspace');
  await page.keyboard.insertText(text);
}

test('a resume shows what is kept, what runs and why, and the page goes on live with the new run', async () => {
  const id = await failed();
  const page = await open(id, 'Resume…');
  await expect
    .poll(() => list(page, 'Runs').allTextContents())
    .toEqual(['build it had not succeeded', 'ship it had not succeeded']);
  expect(await list(page, 'Is kept').allTextContents()).toEqual([
    'fetch it succeeded, and nothing that it depends on has changed',
  ]);
  expect(await violations(page)).toEqual([]);
  // Another value of an input lets the next run succeed.
  await dialog(page).getByLabel('size').fill('0');
  await isOn(page, 'Resume');
  await start(page, 'Resume').click();
  await dialog(page).waitFor({ state: 'detached' });
  await page.getByText('Completed', { exact: true }).waitFor();
  expect(await readPlan(it.api, id)).toMatchObject({ run: 2, state: { status: 'completed' } });
});

test('a resume from a task on runs what depends on it again', async () => {
  const page = await open(await failed(), 'Resume…');
  await dialog(page).getByLabel('Run again from').selectOption('fetch');
  await expect.poll(() => list(page, 'Runs').count()).toBe(3);
  expect(await dialog(page).getByText('Nothing is kept.').isVisible()).toBe(true);
});

test('an input that does not fit is told at its field, and nothing can be started', async () => {
  const page = await open(await failed(), 'Resume…');
  await isOn(page, 'Resume');
  expect(await dialog(page).getByLabel('where').inputValue()).toBe('Oslo');
  await dialog(page).getByLabel('size').fill('many');
  await dialog(page).getByText('Write a whole number.').waitFor();
  expect(await start(page, 'Resume').getAttribute('title')).toBe('an input is not valid');
});

test('a retry keeps nothing, and says so', async () => {
  const id = await failed();
  const page = await open(id, 'Retry…');
  await dialog(page).getByText('Nothing is kept.').waitFor();
  expect(await list(page, 'Runs').count()).toBe(3);
  expect(await dialog(page).getByLabel('Run again from').count()).toBe(0);
  await isOn(page, 'Retry');
  await start(page, 'Retry').click();
  await expect.poll(async () => (await readPlan(it.api, id)).run, { timeout: 20_000 }).toBe(2);
});

test('an edited file is looked at as one types: mistakes with their place, then what it would do', async () => {
  const id = await failed();
  const page = await open(id, 'Resume with edits…');
  await isOn(page, 'Resume with edits');
  await write(page, FILE.replace('needs: build', 'needs: bild'));
  const problem = dialog(page).getByRole('alert');
  await problem.getByRole('button', { name: 'line 9' }).waitFor();
  expect(await start(page, 'Resume with edits').getAttribute('aria-disabled')).toBe('true');
  expect(await violations(page)).toEqual([]);
  await write(page, FILE.replace('exit ${{ inputs.size }}', 'echo built'));
  await problem.waitFor({ state: 'detached' });
  await isOn(page, 'Resume with edits');
  await start(page, 'Resume with edits').click();
  await page.getByText('Completed', { exact: true }).waitFor();
  expect(await readPlan(it.api, id)).toMatchObject({ run: 2 });
});

test('whoever is second is told so by the API, and the page shows the run of the first', async () => {
  const id = await failed();
  const page = await open(id, 'Retry…');
  await isOn(page, 'Retry');
  await page.route(`**/api/plans/${id}/runs`, async (route) => {
    await it.api.post(`/api/plans/${id}/runs`, { mode: 'resume', inputs: { where: 'Bergen' } });
    await route.continue();
  });
  await start(page, 'Retry').click();
  await dialog(page).getByRole('alert').first().waitFor();
  await expect.poll(async () => (await readPlan(it.api, id)).run).toBe(2);
});

test('a run that another starts while the dialog is open ends what the dialog is for', async () => {
  const id = await failed();
  const page = await open(id, 'Resume…');
  await isOn(page, 'Resume');
  await it.api.post(`/api/plans/${id}/runs`, { mode: 'retry' });
  await dialog(page).getByText('Somebody else was first: run 2 of this plan has been started already.').waitFor();
  expect(await start(page, 'Resume').getAttribute('aria-disabled')).toBe('true');
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
});

test('a file whose text was not kept is not offered for editing, and can be resumed all the same', async () => {
  // What cannot be made shorter: the text is too long to be kept.
  const noise = Array.from({ length: 6_000 }, () => `# ${Math.random()}\n`);
  const text = FILE + noise.join('');
  const { json } = await it.api.post('/api/plans', { plan: text, inputs: { where: 'Oslo' } });
  await expect.poll(() => it.api.state(json.plan_id), { timeout: 40_000 }).toBe('failed');
  const page = await open(json.plan_id, 'Resume with edits…');
  await dialog(page).getByText('its text was too long to be kept').waitFor();
  expect(await dialog(page).getByRole('textbox').count()).toBe(0);
  expect(await start(page, 'Resume with edits').count()).toBe(0);
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
  await page.getByRole('region', { name: 'Controls' }).getByRole('button', { name: 'Resume…' }).click();
  await dialog(page).getByText('Its inputs stay as they were').waitFor();
  await isOn(page, 'Resume');
});
