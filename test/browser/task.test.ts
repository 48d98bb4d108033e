import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { until } from '../support/world.ts';
import { violations } from './support/axe.ts';
import { openPage, useConsole } from './support/console.ts';

const it = useConsole();

const create = (tasks: object) => it.api.create(JSON.stringify({ plan: 1, name: 'tasks', tasks }));
const isIn = (id: string, state: string) => until(state, async () => (await it.api.state(id)) === state);
const openTask = (id: string, task: string, options = {}) =>
  openPage(it, `plans/${id}?view=events&task=${encodeURIComponent(task)}`, options);
const panel = (page: Page, task: string) => page.getByRole('complementary', { name: `Task ${task}`, exact: true });

test('of a task that failed: its error, each attempt, and the last it wrote', async () => {
  const id = await create({
    t: {
      run: 'echo trying; printf "\\033[31mred trouble\\033[0m\\n" >&2; exit 3',
      retry: { max_attempts: 2, delay: '1s' },
    },
  });
  await isIn(id, 'failed');
  const page = await openTask(id, 't');
  const it_ = panel(page, 't');
  await it_.getByText('exit code 3: red trouble').first().waitFor();
  await it_.getByText('TASK_FAILED').waitFor();
  await it_.getByRole('heading', { name: '2 attempts' }).waitFor();
  const attempts = it_.getByRole('listitem');
  await attempts.first().getByText('Failed', { exact: true }).waitFor();
  await attempts.last().getByText('Failed, tried again', { exact: true }).waitFor();
  expect(await it_.locator('.ansi-red').textContent()).toBe('red trouble');
  const download = page.waitForEvent('download');
  await attempts.last().getByRole('link', { name: /^Log/ }).click();
  expect(readFileSync(await (await download).path(), 'utf8')).toContain('trying');
  expect(await violations(page)).toEqual([]);
  await it_.getByRole('link', { name: 'The whole log' }).click();
  await page.getByRole('region', { name: 'Log of t' }).getByText('Run 1, attempt 2').waitFor();
});

test('outputs are shown; of large ones and of files there is a download', async () => {
  const id = await create({
    json: { run: 'echo \'{"list": [1, 2]}\'', capture: 'json' },
    big: { run: 'seq 1 3000' },
    file: {
      run: 'mkdir -p out/console-test; echo content > out/console-test/a.txt',
      outputs: ['out/console-test/*.txt'],
    },
  });
  await isIn(id, 'completed');
  const page = await openTask(id, 'json');
  await panel(page, 'json')
    .getByText(/^\{\s+"list": \[/)
    .waitFor();
  const take = async (link: ReturnType<Page['getByRole']>) => {
    const download = page.waitForEvent('download');
    await link.click();
    return readFileSync(await (await download).path(), 'utf8');
  };
  const events = page.getByRole('region', { name: 'Events', exact: true });
  await events.getByRole('link', { name: 'big' }).first().click();
  const all = Array.from({ length: 3_000 }, (_, i) => i + 1).join('\n');
  expect((await take(panel(page, 'big').getByRole('link', { name: '13.9 kB', exact: true }))).trim()).toBe(all);
  await events.getByRole('link', { name: 'file' }).first().click();
  expect(await take(panel(page, 'file').getByRole('link', { name: 'out/console-test/a.txt' }))).toBe('content\n');
  expect(await violations(page)).toEqual([]);
});

test('an answer is shown with who gave it, when, and what they said', async () => {
  const id = await create({
    ok: { approve: 'Go on?' },
    form: { needs: 'ok', input: { prompt: 'How many?', form: { n: { type: 'integer' } } } },
  });
  await isIn(id, 'awaiting_input');
  await it.api.post(`/api/plans/${id}/questions/ok/answer`, { choice: 'approve', comment: 'fine by me' });
  const page = await openTask(id, 'ok');
  await panel(page, 'ok').getByText('approve', { exact: true }).last().waitFor();
  await panel(page, 'ok').getByText('fine by me').waitFor();
  await until('it asks', async () => (await it.api.get(`/api/plans/${id}`)).json.questions.length === 1);
  await it.api.post(`/api/plans/${id}/questions/form/answer`, { values: { n: 3 } });
  await page.getByRole('region', { name: 'Events', exact: true }).getByRole('link', { name: 'form' }).first().click();
  await panel(page, 'form').getByText('"n": 3').first().waitFor();
});

test('a task that has not begun is held and released, and says who holds it', async () => {
  const id = await create({ ok: { approve: 'Go on?' }, after: { needs: 'ok', run: 'echo after' } });
  await isIn(id, 'awaiting_input');
  const page = await openTask(id, 'after');
  await panel(page, 'after').getByRole('button', { name: 'Hold after' }).click();
  await panel(page, 'after').getByText('Held', { exact: true }).first().waitFor();
  expect((await it.api.get(`/api/plans/${id}`)).json.tasks[1].hold.by).toBe((await it.api.get('/api/me')).json.name);
  await panel(page, 'after')
    .getByText(/^by local/)
    .waitFor();
  expect(await violations(page)).toEqual([]);
  await panel(page, 'after').getByRole('button', { name: 'Release after' }).click();
  await panel(page, 'after').getByRole('button', { name: 'Hold after' }).waitFor();
  await panel(page, 'after').getByRole('link', { name: 'ok' }).click();
  await panel(page, 'ok').waitFor();
});

test('Escape and the button close it, and give the focus back', async () => {
  const id = await create({ a: { run: 'echo a' }, b: { run: 'echo b' } });
  await isIn(id, 'completed');
  const page = await openPage(it, `plans/${id}?view=events`);
  const link = page.getByRole('link', { name: 'a', exact: true }).first();
  const hasFocus = () => until('the link has the focus', () => link.evaluate((it) => it === document.activeElement));
  await link.press('Enter');
  await panel(page, 'a').getByRole('button', { name: 'Close the task' }).press('Enter');
  await panel(page, 'a').waitFor({ state: 'detached' });
  await hasFocus();
  await page.keyboard.press('Enter');
  await panel(page, 'a').getByRole('button', { name: 'Close the task' }).focus();
  await page.keyboard.press('Escape');
  await panel(page, 'a').waitFor({ state: 'detached' });
  await hasFocus();
});

test('what a task at work writes is seen beside it, on a narrow screen over the page', async () => {
  const id = await create({ t: { run: 'echo working; sleep 3600' } });
  const page = await openTask(id, 't', { viewport: { width: 360, height: 740 } });
  await panel(page, 't').getByText('working').waitFor();
  await panel(page, 't').getByText('At work').waitFor();
  expect(await panel(page, 't').evaluate((it) => it.contains(document.activeElement))).toBe(true);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  expect(await violations(page)).toEqual([]);
  await it.api.put(`/api/plans/${id}/stop`);
  await panel(page, 't').getByText('Cancelled').first().waitFor();
});
