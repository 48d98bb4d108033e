import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { tempDir } from '../support/world.ts';
import { violations } from './support/axe.ts';
import { openPage, useConsole } from './support/console.ts';

const it = useConsole();

const planWith = (go: string) => `plan: 1
name: timeline
deadline: 1h
tasks:
  first: { run: "true" }
  flaky: { needs: first, retry: { max_attempts: 2, delay: 100ms }, run: "[ -f ${go} ] || { touch ${go}; exit 1; }" }
  ok: { needs: flaky, approve: "Go on?" }
  later: { needs: ok, run: "true" }
`;
const row = (page: Page, id: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('button', { name: id, exact: true }) });
const bars = (page: Page, id: string) =>
  row(page, id)
    .locator('.span')
    .evaluateAll((all) => all.map((bar) => bar.getAttribute('data-look')));

test('each attempt has its bar, waiting for people another one, and what has not begun none', async () => {
  const id = await it.api.create(planWith(join(tempDir('gantt'), 'go')));
  const page = await openPage(it, `plans/${id}?view=timeline`);
  await row(page, 'ok').locator('[data-look="people"]').waitFor();
  expect(await bars(page, 'first')).toEqual(['succeeded']);
  expect(await bars(page, 'flaky')).toEqual(['failed', 'back_off', 'succeeded']);
  expect(await row(page, 'later').count()).toBe(0);
  await it.api.post(`/api/plans/${id}/questions/ok/answer`, { choice: 'approve' });
  await row(page, 'later').locator('[data-look="succeeded"]').waitFor();
  expect(await bars(page, 'ok')).toEqual(['people']);
  expect(await row(page, 'flaky').textContent()).toMatch(/attempt 1, failed.*attempt 2, succeeded/);
});

test('a bar grows with time, a pause is shaded, and a name opens its task', async () => {
  const go = join(tempDir('gantt'), 'go');
  writeFileSync(go, '');
  const id = await it.api.create(planWith(go));
  const page = await openPage(it, `plans/${id}?view=timeline`);
  const words = row(page, 'ok').locator('.span-words');
  const before = await words.textContent();
  await expect.poll(() => words.textContent()).not.toBe(before);
  expect(await page.locator('.gantt-pause').count()).toBe(0);
  await it.api.put(`/api/plans/${id}/pause`);
  await page.locator('.gantt-pause').waitFor();
  await row(page, 'ok').getByRole('button').click();
  await page.getByRole('complementary', { name: 'Task ok' }).waitFor();
});

test('zooming widens the axis, and fit brings all into view again', async () => {
  const id = await it.api.create(planWith(join(tempDir('gantt'), 'go')));
  const page = await openPage(it, `plans/${id}?view=timeline`);
  await row(page, 'ok').waitFor();
  const width = () => page.locator('.gantt').evaluate((element) => element.scrollWidth - element.clientWidth);
  expect(await width()).toBe(0);
  expect(await page.getByRole('button', { name: 'Zoom out' }).getAttribute('aria-disabled')).toBe('true');
  await page.getByRole('button', { name: 'Zoom in' }).click();
  expect(await width()).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Fit' }).click();
  expect(await width()).toBe(0);
});

test.each([360, 1_280])('the timeline has nothing that shuts anybody out at %d px', async (width) => {
  const id = await it.api.create(planWith(join(tempDir('gantt'), 'go')));
  const page = await openPage(it, `plans/${id}?view=timeline`, { viewport: { width, height: 700 } });
  await row(page, 'ok').waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  expect(await violations(page)).toEqual([]);
});
