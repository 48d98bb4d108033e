import { Client } from '@temporalio/client';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { workflowId } from '../../src/contract/names.ts';
import { PLAN_STATUSES } from '../../src/plan/lifecycle.ts';
import { connectClient } from '../../src/temporal/connection.ts';
import { until } from '../support/world.ts';
import { violations } from './support/axe.ts';
import { newContext, openPage, useConsole } from './support/console.ts';
import { planIn } from './support/plans.ts';

const it = useConsole();

const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(`^Select ${name} `) });
const badge = (page: Page, name: string, words: string) => row(page, name).getByText(words, { exact: true });
const names = (page: Page) => page.getByRole('rowheader').getByRole('link').allInnerTexts();

/** Document 1: paused is orange, stopped gray; each has an icon besides. */
const BADGES = {
  pending_review: ['In review', 'violet'],
  stand_by: ['Stand by', 'teal'],
  awaiting_input: ['Awaiting input', 'violet'],
  executing: ['Executing', 'blue'],
  paused: ['Paused', 'orange'],
  completed: ['Completed', 'green'],
  failed: ['Failed', 'red'],
  stopped: ['Stopped', 'gray'],
} as const;

test('an organisation without plans is told how to make one', async () => {
  const page = await openPage(it);
  await page.getByRole('heading', { name: 'There are no plans yet' }).waitFor();
  await page.getByText('npx holdpoint run examples/countries.yaml').waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('main').getByRole('link', { name: 'New plan' }).click();
  await page.waitForURL('**/console/new');
});

test('a plan that is made elsewhere comes by itself, and its state changes by itself', async () => {
  const page = await openPage(it);
  await page.getByRole('heading', { name: 'There are no plans yet' }).waitFor();
  const id = await it.api.create('{plan: 1, name: elsewhere, tasks: {w: {wait: 1h}}}');
  await badge(page, 'elsewhere', 'Stand by').waitFor();
  await it.api.put(`/api/plans/${id}/pause`);
  await badge(page, 'elsewhere', 'Paused').waitFor();
  await row(page, 'elsewhere').getByText('Paused by local').waitFor();
  await it.api.put(`/api/plans/${id}/stop`);
  await badge(page, 'elsewhere', 'Stopped').waitFor();
});

test('every state has its badge: an icon, words and a colour; what is at work says how far it is', async () => {
  for (const status of PLAN_STATUSES) await planIn(it, status);
  const page = await openPage(it);
  for (const status of PLAN_STATUSES) {
    const [words, tone] = BADGES[status];
    const shown = badge(page, status, words);
    await shown.waitFor();
    expect(await shown.getAttribute('data-tone')).toBe(tone);
    expect(await shown.locator('svg').count()).toBe(1);
  }
  const progress = row(page, 'executing').getByRole('progressbar', { name: 'Progress of executing' });
  await progress.waitFor();
  expect(await progress.getAttribute('aria-valuetext')).toBe('33 %, 1 of 3 tasks');
  await row(page, 'executing').getByText('b', { exact: true }).waitFor();
  await row(page, 'awaiting_input').getByText('Asks at ok').waitFor();
  await row(page, 'failed').getByText('exit code 3').waitFor();
  expect(await violations(page)).toEqual([]);
});

test('filters stand in the address and hold after a reload; rows that do not match any more leave', async () => {
  const page = await openPage(it);
  await row(page, 'paused').waitFor();
  await page.getByRole('button', { name: 'Paused', exact: true }).click();
  await page.getByRole('button', { name: 'Failed', exact: true }).click();
  await until('only these are there', async () => (await names(page)).sort().join() === 'failed,paused');
  await page.reload();
  await until('they are again', async () => (await names(page)).sort().join() === 'failed,paused');
  expect(await page.getByRole('button', { name: 'Paused', exact: true }).getAttribute('aria-pressed')).toBe('true');

  await page.getByRole('searchbox', { name: 'Name begins with' }).fill('pau');
  await until('only that is there', async () => (await names(page)).join() === 'paused');
  expect(new URL(page.url()).searchParams.get('name')).toBe('pau');
  const id = await planIn(it, 'paused', 'pausable');
  await row(page, 'pausable').waitFor();
  await it.api.put(`/api/plans/${id}/resume`);
  await row(page, 'pausable').waitFor({ state: 'detached' });

  const search = page.getByRole('searchbox', { name: 'Name begins with' });
  await search.fill('  paused ');
  await until('it is found', async () => (await names(page)).join() === 'paused');
  await search.fill(` ${id.toUpperCase()} `);
  await page.getByText('The plan of this id:').waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('link', { name: 'pausable' }).click();
  await page.getByRole('heading', { name: 'pausable' }).waitFor();
  await page.goBack();
  await search.fill('00000000-0000-4000-8000-000000000000');
  await page.getByText('No plan has the id 00000000-0000-4000-8000-000000000000.').waitFor();

  await page.getByRole('searchbox', { name: 'Name begins with' }).fill('there is none like this');
  await page.getByText('No plan is like this.').waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Show all plans' }).click();
  await row(page, 'completed').waitFor();
  expect(new URL(page.url()).search).toBe('');
});

test('labels, one’s own plans and those that need attention are filters too', async () => {
  await it.api.create(
    '{plan: 1, name: labelled, labels: {team: web, environment: production}, tasks: {w: {wait: 1h}}}',
  );
  const page = await openPage(it, '?attention=true&mine=true');
  await row(page, 'awaiting_input').waitFor();
  expect((await names(page)).filter((name) => ['stand_by', 'completed', 'labelled'].includes(name))).toEqual([]);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await row(page, 'labelled').getByRole('button', { name: 'team=web' }).click();
  await until('only that is there', async () => (await names(page)).join() === 'labelled');
  await page.getByRole('button', { name: 'Label team=web: remove this filter' }).click();
  await row(page, 'completed').waitFor();
});

test('list and plan agree, and what is terminated in Temporal itself is stopped without a reload', async () => {
  const id = await planIn(it, 'stand_by', 'ended outside');
  const page = await openPage(it);
  await badge(page, 'ended outside', 'Stand by').waitFor();
  const connection = await connectClient({ address: it.engine.temporal });
  try {
    await new Client({ connection }).workflow.getHandle(workflowId('local', id)).terminate('behind its back');
  } finally {
    await connection.close();
  }
  await badge(page, 'ended outside', 'Stopped').waitFor();
  expect(await it.api.state(id)).toBe('stopped');
  const { json } = await it.api.get('/api/plans?limit=500');
  for (const { plan_id, name } of json.plans as { plan_id: string; name: string }[]) {
    const status = (await it.api.state(plan_id)) as keyof typeof BADGES;
    await page.locator(`[data-plan="${plan_id}"]`).getByText(BADGES[status][0], { exact: true }).waitFor();
    await until(`the list has ${name} as ${status}`, async () => (await listed(plan_id)) === status);
  }
});

async function listed(planId: string): Promise<string | undefined> {
  const { json } = await it.api.get('/api/plans?limit=500');
  const plans = json.plans as { plan_id: string; state: { status: string } }[];
  return plans.find(({ plan_id }) => plan_id === planId)?.state.status;
}

test('by the keyboard alone one goes from row to row, selects and opens', async () => {
  const page = await openPage(it);
  await row(page, 'completed').waitFor();
  const focused = () =>
    page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent);
  const all = await names(page);
  const links = page.getByRole('rowheader').getByRole('link');
  await links.first().focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  expect(await focused()).toBe(all[2]);
  await page.keyboard.press('End');
  expect(await focused()).toBe(all.at(-1));
  await page.keyboard.press('Home');
  expect(await focused()).toBe(all[0]);
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Space');
  await page.getByText(`1 of ${all.length} plans selected`).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await page.getByText(`2 of ${all.length} plans selected`).waitFor();
  await page.keyboard.press('Tab');
  expect(await focused()).toBe(all[1]);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/console/plans/*');
});

test('what was missed while the connection was lost is there once it is back', async () => {
  const page = await (await newContext(it)).newPage();
  let isCut = false;
  const cuts: (() => Promise<void>)[] = [];
  await page.routeWebSocket('**/api/ws*', (socket) => {
    if (isCut) return void socket.close();
    socket.connectToServer();
    cuts.push(() => socket.close());
  });
  await page.goto(`${it.url}/console/`);
  await row(page, 'completed').waitFor();
  await until('it is connected', () => cuts.length > 0);
  isCut = true;
  for (const cut of cuts) await cut();
  await page.getByText('No connection to Holdpoint since').waitFor();
  await planIn(it, 'stand_by', 'missed');
  expect(await row(page, 'missed').count()).toBe(0);
  isCut = false;
  await row(page, 'missed').waitFor();
  await page.getByText('No connection to Holdpoint since').waitFor({ state: 'detached' });
});

test('on a phone nothing is wider than the screen', async () => {
  const page = await openPage(it, '', { viewport: { width: 360, height: 740 } });
  await row(page, 'executing').waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  expect(await violations(page)).toEqual([]);
  const boxes = await Promise.all(
    ['team=web', 'environment=production'].map((name) =>
      row(page, 'labelled').getByRole('button', { name }).boundingBox(),
    ),
  );
  // Both stand beside each other, and neither is a sliver.
  expect(boxes[1]!.y).toBe(boxes[0]!.y);
  for (const box of boxes) expect(box!.width).toBeGreaterThan(75);
  await page.getByRole('button', { name: 'Failed', exact: true }).click();
  await row(page, 'failed').getByText('exit code 3').waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});
