import type { Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import type { PlanList, PlanSummary } from '../../src/console/api/types.ts';
import { until } from '../support/world.ts';
import { newContext, openPage, useConsole } from './support/console.ts';

const it = useConsole();

const COUNT = 5_000;
const PLANS: PlanSummary[] = Array.from({ length: COUNT }, (_, n) => ({
  plan_id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
  name: `plan ${n}`,
  state: { status: 'completed' },
  owner: 'local',
  created_at: new Date(Date.UTC(2026, 0, 2) - n * 60_000).toISOString(),
  ended_at: new Date(Date.UTC(2026, 0, 2) - n * 60_000 + 5_000).toISOString(),
}));

/** A page with so many plans, which answers lists as the API would; gives the pages that were asked for. */
async function longList(plans: PlanSummary[]): Promise<{ page: Page; asked: number[] }> {
  const page = await (await newContext(it, { viewport: { width: 1280, height: 800 } })).newPage();
  const asked: number[] = [];
  await page.route('**/api/plans?*', async (route: Route) => {
    const { searchParams } = new URL(route.request().url());
    const from = Number(searchParams.get('cursor') ?? 0);
    const to = from + Number(searchParams.get('limit'));
    asked.push(from);
    const answer: PlanList = { plans: plans.slice(from, to), next_cursor: to < plans.length ? String(to) : null };
    await route.fulfill({ json: answer });
  });
  await page.goto(`${it.url}/console/`);
  await page.getByRole('link', { name: 'plan 0', exact: true }).waitFor();
  return { page, asked };
}

const rowsInPage = (page: Page) => page.locator('tbody tr').count();
const toEnd = (page: Page) => page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
const top = (page: Page, name: string) =>
  page.getByRole('link', { name, exact: true }).evaluate((link) => Math.round(link.getBoundingClientRect().top));

test('a list of 5,000 plans is read as it is scrolled, to its end, with few rows in the page at a time', async () => {
  const { page, asked } = await longList(PLANS);
  let most = 0;
  await until('the last plan is there', async () => {
    await toEnd(page);
    most = Math.max(most, await rowsInPage(page));
    return await page.getByRole('link', { name: `plan ${COUNT - 1}`, exact: true }).isVisible();
  });
  expect(most).toBeLessThan(60);
  const table = page.getByRole('table', { name: 'Plans' });
  expect(await table.getAttribute('aria-rowcount')).toBe(`${COUNT + 1}`);
  expect(await page.locator('tbody tr').last().getAttribute('aria-rowindex')).toBe(`${COUNT + 1}`);
  // Each page once, but for the beginning, which is looked at again.
  const later = asked.filter((from) => from > 0);
  expect(later).toEqual(Array.from({ length: 49 }, (_, n) => (n + 1) * 100));
});

test('what comes at the top does not move what is read further down, and is there when one goes back', async () => {
  const plans = PLANS.slice(0, 1_000);
  const { page, asked } = await longList(plans);
  await page.mouse.move(600, 500);
  await until('it is read on', async () => {
    await page.mouse.wheel(0, 3_000);
    return asked.some((from) => from >= 500);
  });
  await until('it stands still', async () => {
    const before = await page.evaluate(() => window.scrollY);
    await page.evaluate(() => new Promise(requestAnimationFrame));
    return before === (await page.evaluate(() => window.scrollY));
  });
  const names = await page.getByRole('rowheader').getByRole('link').allInnerTexts();
  const name = names[Math.floor(names.length / 2)]!;
  const before = await top(page, name);
  const reads = asked.length;
  const isNew = { ...PLANS[0]!, plan_id: '11111111-0000-4000-8000-000000000000', name: 'new one' };
  plans.unshift(isNew);
  // Something that is heard of makes the page look.
  await it.api.create('{plan: 1, name: heard of, tasks: {a: {set: {x: 1}}}}');
  await until('the beginning is read again', () => asked.slice(reads).includes(0));
  await until('there is one more', async () => (await rowIndexOf(page, name)) === Number(name.slice(5)) + 3);
  expect(await top(page, name)).toBe(before);
  expect(asked.slice(reads).filter((from) => from > 0 && from < 500)).toEqual([]);

  await page.evaluate(() => window.scrollTo(0, 0));
  await page.getByRole('link', { name: 'new one' }).waitFor();
  expect(await rowIndexOf(page, 'new one')).toBe(2);
});

const rowIndexOf = async (page: Page, name: string) =>
  Number(
    await page
      .locator('tbody tr')
      .filter({ has: page.getByRole('link', { name, exact: true }) })
      .getAttribute('aria-rowindex'),
  );

test('the keyboard reaches what is far away, and keeps its place while one looks elsewhere', async () => {
  const { page } = await longList(PLANS.slice(0, 300));
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await page.getByRole('link', { name: 'plan 0', exact: true }).focus();
  await page.keyboard.press('End');
  await until('the last that is read has the focus', async () => /^plan [1-9]?99$/.test((await focused()) ?? ''));
  const far = Number((await focused())!.slice(5));
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.getByRole('link', { name: 'plan 1', exact: true }).waitFor();
  await page.keyboard.press('ArrowUp');
  await until('it went up by one', async () => (await focused()) === `plan ${far - 1}`);
  await until('it is to be seen', () => page.getByRole('link', { name: `plan ${far - 1}`, exact: true }).isVisible());
});

test('a page that cannot be read is told, and read when one asks', async () => {
  const { page } = await longList(PLANS.slice(0, 300));
  let fails = true;
  await page.route('**/api/plans?*cursor*', (route) =>
    fails ? route.fulfill({ status: 500, json: { code: 'INTERNAL', detail: 'something broke' } }) : route.fallback(),
  );
  await until('it is at the end', async () => {
    await toEnd(page);
    return (await page.getByText('The next plans could not be read: something broke').count()) === 1;
  });
  fails = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await until('all are there', async () => {
    await toEnd(page);
    return await page.getByRole('link', { name: 'plan 299', exact: true }).isVisible();
  });
});

test('a list that cannot be read at all says why, in the API’s words', async () => {
  const page = await openPage(it, `?name=${'x'.repeat(400)}`);
  await page.getByRole('alert').getByText('name_prefix: is longer than 300 characters').waitFor();
});
