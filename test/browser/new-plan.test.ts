import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { tempDir, until } from '../support/world.ts';
import { violations } from './support/axe.ts';
import { openPage, useConsole } from './support/console.ts';

const PLAN = 'plan: 1\nname: typed\ntasks:\n  a: { run: "echo a" }\n';
const editor = (page: Page) => page.getByRole('textbox', { name: 'Plan file' });
const start = (page: Page) => page.getByRole('button', { name: 'Start', exact: true });
const canStart = (page: Page) =>
  until('it can be started', async () => (await start(page).getAttribute('aria-disabled')) === null);
const problems = (page: Page) => page.getByRole('region', { name: 'Problems' });
const foreseen = (page: Page) => page.getByRole('region', { name: 'What it would do' });
/**
 * Puts a text in as one who pastes it: what is typed is indented by the editor. What is there is taken away first: text that
 * stands in its place at once Chromium would dress in the style of that, which the page's policy refuses, and it says so.
 */
const write = async (page: Page, text: string) => {
  await editor(page).click();
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(text);
};
const example = async (page: Page, name: string) => {
  await page.getByRole('button', { name: 'Examples' }).click();
  await page.getByRole('menuitem', { name }).click();
};
const drop = async (page: Page, text: string) => {
  const transfer = await page.evaluateHandle((content) => {
    const data = new DataTransfer();
    data.items.add(new File([content], 'plan.yaml', { type: 'application/yaml' }));
    return data;
  }, text);
  for (const type of ['dragenter', 'dragover', 'drop'])
    await editor(page).dispatchEvent(type, { dataTransfer: transfer });
};

describe('on the machine itself', () => {
  const it = useConsole();
  const plansNamed = async (name: string) =>
    (await it.api.get(`/api/plans?name=${name}`)).json.plans as { plan_id: string }[];
  const idIn = (page: Page) =>
    page.waitForURL('**/console/plans/*').then(() => page.url().split('/').at(-1)!.split('?')[0]!);

  test('what would run is drawn, and each task leads to its place in the file', async () => {
    const page = await openPage(it, 'new');
    const graph = page.getByRole('region', { name: 'Graph of what would run' });
    const node = (id: string) => graph.getByRole('button', { name: new RegExp(`^task ${id}, `) });
    const line = page.locator('.cm-activeLine');
    await write(
      page,
      'plan: 1\nname: drawn\ntasks:\n  a: { run: ls }\n  each: { needs: a, map: { in: [1, 2], as: x, task: { run: ls } } }\nfinally: { run: ls }\n',
    );
    await node('each').click();
    await expect.poll(() => line.textContent()).toMatch(/each:/);
    expect(await node('each').getAttribute('aria-label')).toBe('task each, run for each of 2 items');
    await graph.getByText('At the end, however it ends').waitFor();
    await node('finally').click();
    await expect.poll(() => line.textContent()).toMatch(/^finally/);
    expect(await violations(page)).toEqual([]);
  });

  test('a file is checked as one types: what is wrong is marked, told, and leads to its place', async () => {
    const page = await openPage(it, 'new');
    await page.getByText('There is no plan file yet.').last().waitFor();
    await editor(page).click();
    await page.keyboard.type('plan: 1\nname: typed\ntasks:\na: { run: "echo a", retri: 3 }\n');
    await problems(page)
      .getByText(/problem/)
      .first()
      .waitFor();
    await write(page, 'plan: 1\nname: typed\n\ntasks:\n  a: { run: "echo a", retri: 3 }\n  b: { needs: c, run: ls }\n');
    await problems(page).getByText('2 problems').waitFor();
    expect(await start(page).getAttribute('aria-disabled')).toBe('true');
    await page.getByText('The file has problems.').last().waitFor();
    expect(await page.locator('.cm-lintRange-error').allTextContents()).toEqual(['retri', 'c']);
    expect(await violations(page)).toEqual([]);
    await problems(page).getByRole('button', { name: 'Line 6' }).press('Enter');
    expect(await page.locator('.cm-activeLine').textContent()).toContain('needs: c');
    await write(page, PLAN);
    await canStart(page);
    expect(await page.locator('.cm-lintRange-error').count()).toBe(0);
    await foreseen(page).getByRole('heading', { name: 'typed would run 1 task' }).waitFor();
  });

  test('the editor is left by the Tab key', async () => {
    const page = await openPage(it, 'new');
    await write(page, PLAN);
    await page.keyboard.press('Tab');
    expect(await editor(page).evaluate((it) => it.contains(document.activeElement))).toBe(false);
  });

  test('words of the format are offered, and put in', async () => {
    const page = await openPage(it, 'new');
    await write(page, 'plan: 1\nname: offered\ntasks:\n  a:\n    ');
    await page.keyboard.type('appr');
    await page.getByRole('option', { name: 'approve' }).click();
    await page.keyboard.insertText('"Go on?"');
    await foreseen(page).getByText('Go on?', { exact: false }).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.type('nee');
    await page.getByRole('option', { name: 'needs' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('option', { name: 'needs' }).waitFor({ state: 'detached' });
  });

  test('a file is dropped, or opened, and stands as it is', async () => {
    const page = await openPage(it, 'new');
    await editor(page).waitFor();
    await drop(page, PLAN.replace('typed', 'dropped').replaceAll('\n', '\r\n'));
    await foreseen(page).getByRole('heading', { name: 'dropped would run 1 task' }).waitFor();
    const path = join(tempDir('plan'), 'opened.yaml');
    writeFileSync(path, PLAN.replace('typed', 'opened'));
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Open a file' }).click();
    await (await chooser).setFiles(path);
    await foreseen(page).getByRole('heading', { name: 'opened would run 1 task' }).waitFor();
    expect(await page.locator('.cm-line').allTextContents()).toEqual([...PLAN.replace('typed', 'opened').split('\n')]);
  });

  test('what it would do is told before it is done', async () => {
    const page = await openPage(it, 'new');
    await write(
      page,
      `plan: 1
name: foreseen
inputs: { force: { type: boolean, default: false } }
tasks:
  first: { run: ls, timeout: 1m }
  never: { if: inputs.force, run: ls, timeout: 1m }
  ok: { needs: first, approve: { prompt: "Go on?", options: [go, reject], timeout: 2m, on_timeout: reject } }
  last: { needs: ok, run: ls, timeout: 1m, retry: 2 }
`,
    );
    const told = foreseen(page);
    await told.getByRole('heading', { name: 'foreseen would run 3 tasks' }).waitFor();
    expect(await told.locator('.layers > li').allTextContents()).toEqual([
      'first run',
      'ok approve',
      'last run, 2 attempts',
    ]);
    await told.getByText('its condition is false', { exact: false }).waitFor();
    await told.getByText('Go on? (go or reject; within 2 min, else reject)').waitFor();
    await told.getByText('plan:run_commands').waitFor();
    await told.getByText(/Longest time: \d+ min/).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByLabel('force').check();
    await told.getByRole('heading', { name: 'foreseen would run 4 tasks' }).waitFor();
  });

  test('an example asks for its inputs, and is started with them', async () => {
    const page = await openPage(it, 'new');
    await example(page, 'Inputs and a form');
    await page.getByText('Missing or wrong: service.').last().waitFor();
    await page.getByText('The file is right. Give its inputs to see what it would do.').waitFor();
    expect(
      await problems(page)
        .getByText(/problem/)
        .count(),
    ).toBe(0);
    await page.getByLabel('replicas').fill('two');
    await page.getByText('Missing or wrong: service, replicas.').last().waitFor();
    await page.getByText('Write a whole number.').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByLabel('replicas').fill('3');
    await page.getByLabel('service').fill('web');
    await page.getByLabel('region').selectOption('us');
    await canStart(page);
    await start(page).click();
    const id = await idIn(page);
    await page.getByRole('heading', { name: 'rollout', level: 1 }).waitFor();
    expect((await it.api.get(`/api/plans/${id}/inputs`)).json.inputs).toEqual({
      service: 'web',
      region: 'us',
      replicas: 3,
    });
  });

  test('a double click starts one plan', async () => {
    const page = await openPage(it, 'new');
    await write(page, PLAN.replace('typed', 'twice'));
    await canStart(page);
    await start(page).dblclick();
    await idIn(page);
    await until('it is listed', async () => (await plansNamed('twice')).length > 0);
    expect(await plansNamed('twice')).toHaveLength(1);
  });

  test('an answer that was lost is asked for again, also after a reload: it is the same plan', async () => {
    const page = await openPage(it, 'new');
    await write(page, PLAN.replace('typed', 'lost'));
    await canStart(page);
    let lost = '';
    await page.route('**/api/plans', async (route) => {
      if (route.request().method() !== 'POST') return await route.fallback();
      lost = (await (await route.fetch()).json()).plan_id;
      await route.abort();
    });
    await start(page).click();
    await page.getByRole('alert').getByText('Holdpoint does not answer', { exact: false }).waitFor();
    await page.unroute('**/api/plans');
    await page.reload();
    await canStart(page);
    await start(page).click();
    expect(await idIn(page)).toBe(lost);
    await until('it is listed', async () => (await plansNamed('lost')).length > 0);
    expect(await plansNamed('lost')).toHaveLength(1);
  });

  test('a draft outlives a reload, and is gone once it was started', async () => {
    const page = await openPage(it, 'new');
    await example(page, 'Inputs and a form');
    await page.getByLabel('service').fill('kept');
    await canStart(page);
    await page.reload();
    expect(await page.getByLabel('service').inputValue()).toBe('kept');
    await canStart(page);
    await start(page).click();
    await idIn(page);
    await page.getByRole('link', { name: 'New plan' }).click();
    await page.getByText('There is no plan file yet.').last().waitFor();
  });

  test('it waits for a review, for a time, and for the enrollment of its key', async () => {
    const page = await openPage(it, 'new');
    await write(page, PLAN.replace('typed', 'optional'));
    await page.getByText('How it is started').click();
    await page.getByLabel('Somebody has to approve it').check();
    await page.getByLabel('Not before').fill('2099-01-02T03:04');
    await page.getByLabel('Enrollment key').fill('customer 7');
    await page.getByLabel('Of this key').selectOption('One plan at a time');
    expect(await violations(page)).toEqual([]);
    await canStart(page);
    await start(page).click();
    const id = await idIn(page);
    expect(await it.api.state(id)).toBe('pending_review');
    await it.api.put(`/api/plans/${id}/approve`);
    const state = await until('it waits for its time', async () => {
      const { json } = await it.api.get(`/api/plans/${id}`);
      return json.state.status === 'stand_by' && json.state;
    });
    expect(state.next_execution_at).toMatch(/^2099-01-0/);
    await page.getByRole('link', { name: 'New plan' }).click();
    await write(page, PLAN);
    await page.getByText('How it is started').click();
    await page.getByLabel('Enrollment key').fill('customer 7');
    await canStart(page);
    await start(page).click();
    await page.getByRole('alert').getByText('customer 7', { exact: false }).waitFor();
  });

  test('it is usable on a narrow screen', async () => {
    const page = await openPage(it, 'new', { viewport: { width: 360, height: 740 } });
    await example(page, 'Side by side');
    await canStart(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    expect(await violations(page)).toEqual([]);
  });
});

describe('where people sign in', () => {
  const path = join(tempDir('keys'), 'keys.json');
  const person = (name: string, ...permissions: string[]) => ({
    key: `${name}-key-123456`,
    id: name,
    name,
    org_id: 'acme',
    permissions,
  });
  writeFileSync(path, JSON.stringify([person('reader', 'plan:read'), person('author', 'plan:read', 'plan:create')]), {
    mode: 0o600,
  });
  const it = useConsole({ HOLDPOINT_API_KEYS: path });
  const openAs = async (name: string) => {
    const page = await openPage(it, 'new');
    await page.getByLabel('API key or bearer token').fill(`${name}-key-123456`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await editor(page).waitFor();
    await write(page, PLAN);
    return page;
  };

  test('who may not create plans is told so, and cannot start one', async () => {
    const page = await openAs('reader');
    await page.getByText('You do not have the permission plan:create.').last().waitFor();
    await start(page).click({ force: true });
    expect(page.url()).toContain('/new');
  });

  test('what else the plan needs is told, with what one lacks', async () => {
    const page = await openAs('author');
    await foreseen(page).getByText('you do not have it').waitFor();
    await page.getByText('You do not have the permission plan:run_commands.').last().waitFor();
    expect(await violations(page)).toEqual([]);
    await write(page, 'plan: 1\nname: x\ntasks:\n  a: { set: { x: 1 } }\n');
    await canStart(page);
  });
});
