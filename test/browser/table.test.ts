import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { violations } from './support/axe.ts';
import { openPage, useConsole } from './support/console.ts';

const it = useConsole();

const PLAN = `plan: 1
name: table
tasks:
  first: { run: "true" }
  never: { needs: first, if: "1 > 2", run: "true" }
  ok: { needs: first, approve: "Go on?" }
  bad: { needs: first, retry: { max_attempts: 3, delay: 1h }, run: "echo no such host >&2; exit 1" }
  last: { needs: [ok, bad], run: "true" }
`;
const row = (page: Page, id: string) =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: id, exact: true }) });
const ids = (page: Page) => page.getByRole('rowheader').allTextContents();

test('the table says of each task what the graph says', async () => {
  const id = await it.api.create(PLAN);
  const page = await openPage(it, `plans/${id}?view=table`);
  await row(page, 'first').getByText('Succeeded').waitFor();
  await row(page, 'never').getByText('its condition is false').waitFor();
  await row(page, 'ok').getByText('Asks: Go on?').waitFor();
  await row(page, 'bad').getByText('1 of 3').waitFor();
  await row(page, 'bad').getByText('Tries again at').waitFor();
  await row(page, 'last').getByText('ok, bad').waitFor();
});

test('rows are sorted and filtered, and open their task', async () => {
  const id = await it.api.create(PLAN);
  const page = await openPage(it, `plans/${id}?view=table`);
  await row(page, 'ok').getByText('Waiting').waitFor();
  expect(await ids(page)).toEqual(['first', 'never', 'ok', 'bad', 'last']);
  const by = page.getByRole('columnheader', { name: 'Task' });
  await by.getByRole('button').click();
  expect(await ids(page)).toEqual(['bad', 'first', 'last', 'never', 'ok']);
  expect(await by.getAttribute('aria-sort')).toBe('ascending');
  await by.getByRole('button').click();
  expect(await ids(page)).toEqual(['ok', 'never', 'last', 'first', 'bad']);
  await page.getByRole('searchbox', { name: 'Search the tasks' }).fill('go on');
  await page.getByText('1 of 5 tasks').waitFor();
  expect(await ids(page)).toEqual(['ok']);
  await page.getByRole('searchbox', { name: 'Search the tasks' }).fill('');
  await page.getByRole('combobox', { name: 'Status' }).selectOption('skipped');
  await page.getByText('1 of 5 tasks').waitFor();
  expect(await ids(page)).toEqual(['never']);
  await row(page, 'never').getByRole('button', { name: 'never' }).click();
  await page.getByRole('complementary', { name: 'Task never' }).waitFor();
});

test('a task is held and released in its row', async () => {
  const id = await it.api.create(PLAN);
  const page = await openPage(it, `plans/${id}?view=table`);
  await page.getByRole('button', { name: 'Hold last', exact: true }).click();
  await row(page, 'last').getByText('Held by local').waitFor();
  await page.getByRole('button', { name: 'Release last', exact: true }).click();
  await row(page, 'last').getByText('Held by local').waitFor({ state: 'detached' });
  expect(new URL(page.url()).searchParams.get('task')).toBeNull();
});

test('of a thousand rows those in view are made, and the last is reached', async () => {
  const tasks = Array.from({ length: 1_000 }, (_, n) => `t${n}: {wait: 1h}`);
  const id = await it.api.create(`{plan: 1, name: long, tasks: {${tasks.join(', ')}}}`);
  const page = await openPage(it, `plans/${id}?view=table`);
  await row(page, 't0').waitFor();
  expect(await page.getByRole('rowheader').count()).toBeLessThan(100);
  await page.locator('.task-scroll').evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await row(page, 't999').waitFor();
});

test('the table has nothing that shuts anybody out', async () => {
  const id = await it.api.create(PLAN);
  const page = await openPage(it, `plans/${id}?view=table`);
  await row(page, 'ok').getByText('Waiting').waitFor();
  expect(await violations(page)).toEqual([]);
});
