import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { until } from '../support/world.ts';
import { violations } from './support/axe.ts';
import { openPage, useConsole } from './support/console.ts';

const it = useConsole();

const GATE = `plan: 1
name: gate
tasks:
  a: { run: "echo a" }
  ok: { needs: a, approve: "Go on?" }
  b: { needs: ok, run: "echo b" }
`;
const events = (page: Page) => page.getByRole('region', { name: 'Events', exact: true });
const rows = (page: Page) => events(page).getByRole('listitem');
/** What rows say, newest first, without their times. */
const told = async (page: Page) =>
  (await rows(page).allInnerTexts()).map((text) =>
    text
      .replace(/^[\d:]+\s+/, '')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
const entriesOf = async (id: string) => (await it.api.get(`/api/plans/${id}/timeline`)).json.entries as object[];
const isIn = (id: string, state: string) => until(state, async () => (await it.api.state(id)) === state);

/** The whole story is there, each event once, with one ending: on top. */
async function expectWhole(page: Page, id: string, ending: string) {
  await rows(page).first().getByText(ending).waitFor();
  const shown = await told(page);
  expect(shown.length).toBe((await entriesOf(id)).length);
  expect(shown.filter((row) => row.includes('Tasks: '))).toEqual([shown[0]]);
  expect(shown.at(-1)).toMatch(/^Created by /);
}

test('case 11: the story goes on through a pause and a gate to its one end', async () => {
  const id = await it.api.create(GATE);
  const page = await openPage(it, `plans/${id}?view=events`);
  await events(page).getByText('Go on?').waitFor();
  await it.api.put(`/api/plans/${id}/pause`);
  await rows(page).getByText('Paused by').waitFor();
  await it.api.put(`/api/plans/${id}/resume`);
  await rows(page).getByText('Resumed by').waitFor();
  await it.api.post(`/api/plans/${id}/questions/ok/answer`, { choice: 'approve', comment: 'looks <b>good</b>' });
  await expectWhole(page, id, 'Now: Completed');
  await rows(page).filter({ hasText: 'Answered by' }).getByText('looks <b>good</b>').waitFor();
  await rows(page).filter({ hasText: 'b Succeeded' }).waitFor();
});

test('case 11: of a plan that ends at once, nothing is missed', async () => {
  const id = await it.api.create('{plan: 1, name: quick, tasks: {a: {set: {x: 1}}}}');
  const page = await openPage(it, `plans/${id}?view=events`);
  await expectWhole(page, id, 'Now: Completed');
});

test('case 11: whoever comes after the end reads the same', async () => {
  const id = await it.api.create(
    '{plan: 1, name: broken, tasks: {a: {run: "echo no >&2; exit 3"}, b: {needs: a, set: {x: 1}}}}',
  );
  await isIn(id, 'failed');
  const page = await openPage(it, `plans/${id}?view=events`);
  await expectWhole(page, id, 'Now: Failed');
  const last = rows(page).first();
  await last.getByText('a: exit code 3').waitFor();
  await last.getByText('TASK_FAILED').waitFor();
  expect(await violations(page)).toEqual([]);
});

test('document 1: paused is orange, resumed blue, stopped red, each with who it was', async () => {
  const id = await it.api.create(GATE);
  await isIn(id, 'awaiting_input');
  const page = await openPage(it, `plans/${id}?view=events`);
  for (const command of ['pause', 'resume', 'stop']) await it.api.put(`/api/plans/${id}/${command}`);
  const colourOf = async (words: string) => {
    const place = rows(page).getByText(words, { exact: true });
    await place.waitFor();
    return await place.evaluate((element) => getComputedStyle(element).color);
  };
  const colours = await page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('span'));
    const found = ['orange', 'blue', 'red'].map((name) => {
      probe.style.color = `var(--${name})`;
      return getComputedStyle(probe).color;
    });
    probe.remove();
    return found;
  });
  const me = (await it.api.get('/api/me')).json.name;
  const words = [`Paused by ${me}`, `Resumed by ${me}`, `Stopped by ${me}`];
  expect([await colourOf(words[0]!), await colourOf(words[1]!), await colourOf(words[2]!)]).toEqual(colours);
  expect(new Set(colours).size).toBe(3);
  expect(await violations(page)).toEqual([]);
});

test('what becomes of the plan is told to those who do not see it, what becomes of its tasks is not', async () => {
  const id = await it.api.create(GATE);
  await isIn(id, 'awaiting_input');
  const page = await openPage(it, `plans/${id}?view=events`);
  const news = events(page).getByRole('status');
  await rows(page).first().waitFor();
  expect(await news.textContent()).toBe('');
  await it.api.put(`/api/plans/${id}/tasks/b/hold`);
  await rows(page).filter({ hasText: 'Held by' }).waitFor();
  expect(await news.textContent()).toBe('');
  await it.api.put(`/api/plans/${id}/pause`);
  await news.getByText('Paused by').waitFor();
});

test('only the lifecycle, or only a task, can be shown', async () => {
  const id = await it.api.create(GATE);
  await isIn(id, 'awaiting_input');
  const page = await openPage(it, `plans/${id}?view=events`);
  const show = events(page).getByLabel('Show');
  await rows(page).filter({ hasText: 'a Succeeded' }).waitFor();
  await show.selectOption({ label: 'Lifecycle only' });
  await until('tasks are left out', async () => (await told(page)).every((row) => /^Created by/.test(row)));
  await show.selectOption({ label: 'All events' });
  await rows(page).filter({ hasText: 'a Succeeded' }).getByRole('link', { name: 'a' }).click();
  await page.getByRole('complementary', { name: 'Task a' }).waitFor();
  await show.selectOption({ label: 'Only of a' });
  await until('it is of a alone', async () => (await told(page)).join() === 'a Succeeded,a Started');
});

test('each run stands by itself, the newest open; what was kept is said', async () => {
  const id = await it.api.create(GATE);
  await isIn(id, 'awaiting_input');
  await it.api.put(`/api/plans/${id}/stop`);
  await isIn(id, 'stopped');
  const page = await openPage(it, `plans/${id}?view=events`);
  await events(page).getByRole('button', { name: 'Run 1' }).waitFor();
  await it.api.post(`/api/plans/${id}/runs`, { mode: 'resume' });
  await rows(page)
    .getByText(/^Run 2 started by .*, keeping what was done$/)
    .waitFor();
  await rows(page).filter({ hasText: 'a Kept from the run before' }).waitFor();
  expect((await told(page)).some((row) => row.startsWith('Stopped by'))).toBe(false);
  await events(page).getByRole('button', { name: 'Run 1' }).click();
  await rows(page)
    .getByText(/^Stopped by/)
    .waitFor();
  await until('both are there', async () => (await told(page)).length === (await entriesOf(id)).length);
});

test('of a long story the end is read first, and only what is seen is drawn', async () => {
  const tasks = Array.from({ length: 400 }, (_, i) => `t${i}: {set: {x: ${i}}}`).join(', ');
  const id = await it.api.create(`{plan: 1, name: long, tasks: {${tasks}}}`);
  await isIn(id, 'completed');
  const all = (await entriesOf(id)).length;
  expect(all).toBeGreaterThan(800);
  const page = await openPage(it, `plans/${id}?view=events`);
  const run = events(page).getByRole('button', { name: 'Run 1' });
  await rows(page).first().getByText('Now: Completed').waitFor();
  expect(await run.textContent()).toContain('500 events');
  expect(await rows(page).count()).toBeLessThan(100);
  await events(page)
    .getByRole('button', { name: `Show all ${all - 500} earlier` })
    .click();
  await run.getByText(`${all} events`).waitFor();
  const list = events(page).getByRole('region', { name: 'Events of run 1' });
  // The end moves away while what is new is measured.
  await until('the first is there', async () => {
    await list.press('End');
    return (await rows(page).filter({ hasText: 'Created by' }).count()) === 1;
  });
  expect(await rows(page).count()).toBeLessThan(100);
  expect(await violations(page)).toEqual([]);
});
