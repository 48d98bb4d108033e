import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { tempDir, until } from '../support/world.ts';
import { violations } from './support/axe.ts';
import { openPage, useConsole } from './support/console.ts';

const it = useConsole();

/** A node, by how its task is read out. */
const node = (page: Page, id: string, how = '') =>
  page.getByRole('button', { name: new RegExp(`^task ${id.replace(/[[\]/]/g, '\\$&')}, ${how}`) });
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
const HELD =
  'plan: 1\nname: held\ntasks:\n  w: { wait: 1h }\n  a: { needs: w, run: "true" }\n  b: { needs: a, run: "true" }\n';

test('nodes follow their plan: at work, tried again, asked, skipped, failed, and reused by the next run', async () => {
  const dir = tempDir('graph');
  const [go, mended] = [join(dir, 'go'), join(dir, 'mended')];
  const id = await it.api.create(`plan: 1
name: follows
tasks:
  first: { run: "until [ -f ${go} ]; do sleep 0.1; done" }
  never: { needs: first, if: "1 > 2", run: "true" }
  ok: { needs: first, approve: "Go on?" }
  flaky: { needs: ok, retry: { max_attempts: 2, delay: 100ms }, run: "[ -f ${mended} ]" }
  last: { needs: flaky, run: "true" }
`);
  const page = await openPage(it, `plans/${id}`);
  await node(page, 'first', 'running').waitFor();
  await node(page, 'ok', 'pending').waitFor();
  writeFileSync(go, '');
  await node(page, 'first', 'succeeded').waitFor();
  await node(page, 'never', 'skipped, its condition is false').waitFor();
  await node(page, 'ok', 'waiting, Asks: Go on\\?').waitFor();
  await it.api.post(`/api/plans/${id}/questions/ok/answer`, { choice: 'approve' });
  await node(page, 'ok', 'succeeded').waitFor();
  await node(page, 'flaky', 'failed, attempt 2 of 2, exit code 1').waitFor();
  writeFileSync(mended, '');
  await it.api.post(`/api/plans/${id}/runs`, { mode: 'resume' });
  await node(page, 'first', 'succeeded, reused').waitFor();
  await node(page, 'last', 'succeeded').waitFor();
  await page.getByText('Reused').first().waitFor();
});

test('a hold point is set and taken away by a click, and nothing but the plan says that it is there', async () => {
  const id = await it.api.create(HELD);
  const page = await openPage(it, `plans/${id}`);
  await page.getByRole('button', { name: 'Hold a', exact: true }).click();
  await node(page, 'a', 'pending, Held by local').waitFor();
  expect((await it.api.get(`/api/plans/${id}`)).json.tasks[1].hold.by).toBe('local');
  await page.getByRole('button', { name: 'Release a', exact: true }).click();
  await page.getByRole('button', { name: 'Hold a', exact: true }).waitFor();
  expect((await it.api.get(`/api/plans/${id}`)).json.tasks[1].hold).toBeUndefined();
  expect(await page.getByRole('button', { name: 'Hold w' }).count()).toBe(0);
});

test('by keyboard alone one goes from task to task, holds, releases and opens', async () => {
  const id = await it.api.create(HELD);
  const page = await openPage(it, `plans/${id}`);
  await node(page, 'w').focus();
  const along = (await isDown(page)) ? 'ArrowDown' : 'ArrowRight';
  await page.keyboard.press(along);
  await until('the next has the focus', async () => (await focused(page))?.startsWith('task a,'));
  await page.keyboard.press('h');
  await node(page, 'a', 'pending, Held by local').waitFor();
  await page.keyboard.press('h');
  await page.getByRole('button', { name: 'Hold a', exact: true }).waitFor();
  await page.keyboard.press(along);
  await until('the last has the focus', async () => (await focused(page))?.startsWith('task b,'));
  await page.keyboard.press('Enter');
  await page.getByRole('complementary', { name: 'Task b' }).waitFor();
  expect(new URL(page.url()).searchParams.get('task')).toBe('b');
});

test('the menu of a node opens its task and holds it, or says why it cannot', async () => {
  const id = await it.api.create(HELD);
  const page = await openPage(it, `plans/${id}`);
  await node(page, 'w').click({ button: 'right' });
  const off = page.getByRole('menuitem', { name: /^Hold/ });
  await off.getByText('only what has not begun can be held').waitFor();
  expect(await off.getAttribute('aria-disabled')).toBe('true');
  await page.keyboard.press('Escape');
  await node(page, 'b').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Hold' }).click();
  await node(page, 'b', 'pending, Held by local').waitFor();
});

test('a plan that is paused has its pill until it is resumed', async () => {
  const id = await it.api.create(HELD);
  const page = await openPage(it, `plans/${id}`);
  const pill = page.locator('.paused-badge');
  await node(page, 'w').waitFor();
  expect(await pill.count()).toBe(0);
  await it.api.put(`/api/plans/${id}/pause`);
  await pill.getByText('Paused').waitFor();
  expect(await pill.getAttribute('data-tone')).toBe('orange');
  await it.api.put(`/api/plans/${id}/resume`);
  await pill.waitFor({ state: 'detached' });
});

test('sub-plans hold their tasks, maps count their items, handlers stand in groups', async () => {
  const go = join(tempDir('graph'), 'go');
  const wait = `until [ -f ${go} ]; do sleep 0.1; done`;
  const id = await it.api.create(`plan: 1
name: nested
tasks:
  build:
    plan:
      tasks:
        compile: { run: "true" }
        push: { needs: compile, run: "${wait}" }
  each:
    map: { in: "[1, 2, 3]", as: n, max_parallel: 2, task: { run: "if [ \${{ n }} != 1 ]; then ${wait}; fi" } }
finally: { run: "true" }
`);
  const page = await openPage(it, `plans/${id}`);
  await node(page, 'build/compile', 'succeeded').waitFor();
  await node(page, 'build/push', 'running').waitFor();
  await node(page, 'each', 'running, 1 of 3 items').waitFor();
  await page.getByText('At the end, however it ends').waitFor();
  const [outer, inner] = await Promise.all(
    ['build', 'build/push'].map((task) => page.locator(`[data-task="${task}"]`).boundingBox()),
  );
  expect(inner!.x).toBeGreaterThan(outer!.x);
  expect(inner!.x + inner!.width).toBeLessThan(outer!.x + outer!.width);
  expect(inner!.y + inner!.height).toBeLessThan(outer!.y + outer!.height);
  writeFileSync(go, '');
  await node(page, 'finally', 'succeeded').waitFor();
  await node(page, 'each', 'succeeded, 3 of 3 items').waitFor();
});

test('of a large plan what is looked for is found, brought into view and opened', async () => {
  const tasks = Array.from({ length: 400 }, (_, n) => `t${n}: {${n < 20 ? '' : `needs: t${n - 20}, `}wait: 1h}`);
  const id = await it.api.create(`{plan: 1, name: large, tasks: {${tasks.join(', ')}}}`);
  const page = await openPage(it, `plans/${id}`);
  await page.locator('.task-node').first().waitFor();
  expect(await node(page, 't399').count()).toBe(0);
  await page.getByRole('searchbox', { name: 'Find a task' }).fill('t399');
  await node(page, 't399', 'pending').waitFor();
  await page.getByText('1 of 1', { exact: true }).waitFor();
  await node(page, 't399').click();
  await page.getByRole('complementary', { name: 'Task t399' }).waitFor();
});

test('the graph has nothing that shuts anybody out', async () => {
  const id = await it.api.create(HELD);
  await it.api.put(`/api/plans/${id}/tasks/b/hold`);
  const page = await openPage(it, `plans/${id}`);
  await node(page, 'b', 'pending, Held').waitFor();
  expect(await violations(page)).toEqual([]);
});

const isDown = async (page: Page): Promise<boolean> => {
  const [one, next] = await Promise.all(['w', 'a'].map((id) => page.locator(`[data-task="${id}"]`).boundingBox()));
  return next!.y >= one!.y + one!.height;
};

test('on a phone nothing lies over the first task', async () => {
  const id = await it.api.create(
    '{plan: 1, name: one, tasks: {a: {wait: 1h}, b: {needs: a, wait: 1h}, c: {needs: b, wait: 1h}, d: {needs: c, wait: 1h}, e: {needs: d, wait: 1h}}}',
  );
  const page = await openPage(it, `plans/${id}`, { viewport: { width: 360, height: 740 } });
  await node(page, 'a').waitFor();
  const finder = await page.locator('.finder').boundingBox();
  await expect
    .poll(async () => (await page.locator('[data-task="a"]').boundingBox())!.y)
    .toBeGreaterThanOrEqual(finder!.y + finder!.height);
});
