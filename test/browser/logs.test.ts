import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { tempDir, until } from '../support/world.ts';
import { violations } from './support/axe.ts';
import { openPage, useConsole } from './support/console.ts';

const it = useConsole();
const dir = tempDir('go');

/** A task that writes, and goes on when a file is there. */
const gated = (name: string, before: string, after: string) => {
  const go = join(dir, name);
  const script = `${before}\nuntil [ -e ${go} ]; do sleep 0.1; done\n${after}`;
  const plan = JSON.stringify({ plan: 1, name, tasks: { t: { run: script } } });
  return { plan, go: () => writeFileSync(go, '') };
};
const create = (tasks: object) => it.api.create(JSON.stringify({ plan: 1, name: 'logs', tasks }));
const isIn = (id: string, state: string) => until(state, async () => (await it.api.state(id)) === state);
const openLog = (id: string, task = 't', options = {}) =>
  openPage(it, `plans/${id}?view=logs&task=${encodeURIComponent(task)}`, options);

const logs = (page: Page) => page.getByRole('region', { name: 'Logs', exact: true });
const log = (page: Page, task = 't') => logs(page).getByRole('region', { name: `Log of ${task}` });
const line = (page: Page, text: string | RegExp, task = 't') => log(page, task).getByText(text, { exact: true });
const isAtEnd = (page: Page) =>
  log(page).evaluate(({ scrollTop, scrollHeight, clientHeight }) => scrollHeight - scrollTop - clientHeight < 30);

test('what a task writes appears as it writes it, to its end', async () => {
  const { plan, go } = gated('live', 'echo first', 'echo second ☃');
  const page = await openLog(await it.api.create(plan));
  await line(page, 'first').waitFor();
  await logs(page).getByText('Live: what is written appears here.').waitFor();
  go();
  await line(page, 'second ☃').waitFor();
  await logs(page).getByText('This is the end: nothing more comes in this run.').waitFor();
  expect(await log(page).locator('.log-number').allInnerTexts()).toEqual(['1', '2']);
});

test('the end is followed until one scrolls up, and again from the end', async () => {
  const { plan, go } = gated('follow', 'seq -f "line %g" 1 300', 'seq -f "line %g" 301 600');
  const page = await openLog(await it.api.create(plan));
  const follow = logs(page).getByRole('button', { name: 'Follow' });
  await line(page, 'line 300').waitFor();
  await log(page).press('Home');
  await line(page, 'line 1').waitFor();
  await until('it no longer follows', async () => (await follow.getAttribute('aria-pressed')) === 'false');
  go();
  await logs(page).getByText('This is the end', { exact: false }).waitFor();
  expect(await log(page).evaluate(({ scrollTop }) => scrollTop)).toBe(0);
  await follow.click();
  await line(page, 'line 600').waitFor();
  await until('the end is seen', () => isAtEnd(page));
});

test('colours are shown, what is no text is not, and nothing that was written becomes part of the page', async () => {
  const script = String.raw`printf '\e[31mred\e[0m \e[1;32mbold\e[0m \e[38;2;255;255;0mbright\e[0m \e[44mground\e[0m\n'
    printf '<img src=x onerror=alert(1)>\n10%%\r100%%\n\e]0;title\a\e[2Jdone\n'`;
  const id = await create({ t: { run: script } });
  await isIn(id, 'completed');
  const page = await openLog(id);
  await line(page, 'red').waitFor();
  expect(await line(page, 'red').getAttribute('class')).toBe('ansi-red');
  expect(await line(page, 'bold').getAttribute('class')).toBe('ansi-green ansi-bold');
  await line(page, '<img src=x onerror=alert(1)>').waitFor();
  await line(page, '100%').waitFor();
  await line(page, 'done').waitFor();
  expect(await log(page).locator('img').count()).toBe(0);
  expect(await violations(page)).toEqual([]);
});

test('a search counts, goes from place to place, and takes small letters for large', async () => {
  const id = await create({
    t: { run: 'for i in $(seq 1 500); do echo "line $i"; [ $((i % 100)) = 0 ] && echo "An ERROR here"; done; true' },
  });
  await isIn(id, 'completed');
  const page = await openLog(id);
  const search = logs(page).getByRole('searchbox', { name: 'Search the log' });
  await search.fill('error');
  await logs(page).getByText('1 of 5', { exact: true }).waitFor();
  await line(page, 'line 100').waitFor();
  await search.press('Enter');
  await logs(page).getByText('2 of 5', { exact: true }).waitFor();
  await line(page, 'line 200').waitFor();
  await search.press('Shift+Enter');
  await search.press('Shift+Enter');
  await logs(page).getByText('5 of 5', { exact: true }).waitFor();
  await until(
    'it is marked',
    async () => (await log(page).locator('mark[data-current]').allInnerTexts()).join() === 'ERROR',
  );
  expect(await violations(page)).toEqual([]);
  await search.fill('nowhere');
  await logs(page).getByText('None', { exact: true }).waitFor();
});

test('each attempt can be chosen, and is downloaded as it was written', async () => {
  const id = await create({
    t: { run: 'echo "attempt $HOLDPOINT_ATTEMPT"; exit 3', retry: { max_attempts: 2, delay: '1s' } },
  });
  await isIn(id, 'failed');
  const page = await openLog(id);
  await line(page, 'Run 1, attempt 2').waitFor();
  expect(await log(page).locator('.log-number').allInnerTexts()).toEqual(['1', '', '1']);
  const attempt = logs(page).getByLabel('Attempt');
  await attempt.selectOption(await attempt.getByText(/^Run 1, attempt 1 /).textContent());
  await until('one line is left', async () => (await log(page).locator('.log-text').count()) === 1);
  const download = page.waitForEvent('download');
  await logs(page).getByRole('link', { name: 'Download' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('t-1.1.log');
  expect(readFileSync(await file.path(), 'utf8')).toBe(
    await log(page)
      .locator('.log-text')
      .textContent()
      .then((text) => `${text}\n`),
  );
});

test('of a log of many megabytes the end is there, it can be searched, and the page does what it is told', async () => {
  const id = await create({
    t: { run: 'seq -f "%015.0f a line of some length so that there are many bytes" 1 400000; echo the very end' },
  });
  await until('it has ended', async () => (await it.api.state(id)) === 'completed', 60_000);
  const page = await openLog(id);
  await line(page, 'the very end').waitFor();
  await logs(page)
    .getByText(/^The log is long: its first .* are not shown/)
    .waitFor();
  expect(await log(page).locator('.log-line').count()).toBeLessThan(150);
  await logs(page).getByRole('searchbox').fill('000000000399000 ');
  await logs(page).getByText('1 of 1', { exact: true }).waitFor();
  await log(page).locator('mark[data-current]').waitFor();
  await logs(page).getByRole('searchbox').fill('000000000000100 ');
  await logs(page).getByText('None in the lines shown', { exact: true }).waitFor();
  const wrap = logs(page).getByRole('button', { name: 'Wrap' });
  await wrap.click();
  await until('it is not wrapped', async () => (await wrap.getAttribute('aria-pressed')) === 'false');
});

test('a task that wrote nothing says so; one that is none is refused in words', async () => {
  const id = await create({
    t: { run: 'true' },
    each: { map: { in: ['a', 'b'], task: { run: 'echo item ${{ item }}' } } },
  });
  await isIn(id, 'completed');
  const page = await openLog(id);
  await logs(page).getByText('t wrote nothing.').waitFor();
  await logs(page).getByLabel('Task', { exact: true }).selectOption({ label: 'Another, by its name …' });
  await logs(page).getByRole('textbox', { name: 'Name of the task' }).fill('each[1]');
  await logs(page).getByRole('button', { name: 'Show' }).click();
  await line(page, 'item b', 'each[1]').waitFor();
  await logs(page).getByRole('textbox', { name: 'Name of the task' }).fill('nobody');
  await logs(page).getByRole('button', { name: 'Show' }).click();
  await logs(page).getByRole('alert').getByText('nobody', { exact: false }).waitFor();
});

test('without a choice the task at work is shown, on a narrow screen, too', async () => {
  const { plan, go } = gated('narrow', `echo ${'long '.repeat(60)}`, 'echo bye');
  const id = await it.api.create(plan);
  const page = await openPage(it, `plans/${id}?view=logs`, { viewport: { width: 360, height: 740 } });
  await line(page, /^long long/).waitFor();
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await logs(page).getByRole('button', { name: 'Wrap' }).click();
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  expect(await violations(page)).toEqual([]);
  go();
  await line(page, 'bye').waitFor();
});

test('the long id of a task does not make the page wider than a phone', async () => {
  const id = await it.api.create(
    JSON.stringify({ plan: 1, name: 'long', tasks: { ['t'.repeat(60)]: { run: 'echo' } } }),
  );
  const page = await openLog(id, 't'.repeat(60), { viewport: { width: 360, height: 740 } });
  await logs(page).getByRole('combobox', { name: 'Task' }).waitFor();
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});

test('while what it has written is on its way, nobody is told that it has written nothing', async () => {
  const { plan, go } = gated('slow', 'echo first', 'echo second');
  const id = await it.api.create(plan);
  await line(await openLog(id), 'first').waitFor();
  const page = await openPage(it, `plans/${id}`);
  await page.evaluate(() => {
    const said: string[] = [];
    Object.assign(window, { said });
    new MutationObserver(() => {
      said.push(document.querySelector('.logs .empty')?.textContent ?? '');
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  await page.getByRole('tab', { name: 'Logs' }).click();
  await line(page, 'first').waitFor();
  const said = await page.evaluate(() => (window as unknown as { said: string[] }).said);
  expect(said.some((text) => text.includes('Reading the log'))).toBe(true);
  expect(said.filter((text) => text.includes('written nothing'))).toEqual([]);
  go();
  await line(page, 'second').waitFor();
});

test('of a failed map its first failed item is shown, which its panel and the events lead to as well', async () => {
  const id = await create({
    first: { run: 'echo nothing of this' },
    each: {
      needs: 'first',
      map: { in: [1, 2, 3, 4], as: 'n', fail_fast: false, task: { run: 'echo item ${{ n }}; [ ${{ n }} != 3 ]' } },
    },
  });
  await isIn(id, 'failed');
  const page = await openPage(it, `plans/${id}?view=logs`);
  await line(page, 'item 3', 'each[2]').waitFor();
  await logs(page).getByRole('option', { name: 'The one that failed: each[2]' }).waitFor({ state: 'attached' });
  await page.goto(`${it.url}/console/plans/${id}?view=table&task=each`);
  const panel = page.getByRole('complementary', { name: 'Task each' });
  await panel.getByRole('list', { name: 'Failed items' }).getByRole('link', { name: 'each[2]' }).click();
  await line(page, 'item 3', 'each[2]').waitFor();
  await page.goto(`${it.url}/console/plans/${id}?view=events`);
  await page.getByRole('region', { name: 'Events', exact: true }).getByRole('link', { name: 'each[2]' }).click();
  await line(page, 'item 3', 'each[2]').waitFor();
  expect(await violations(page)).toEqual([]);
});

test('of a sub-plan at work the task in it is shown; after the end it is the last at work', async () => {
  const { plan, go } = gated('inner', 'echo inside', 'echo bye');
  const id = await it.api.create(
    JSON.stringify({ plan: 1, name: 'outer', tasks: { sub: { plan: { tasks: JSON.parse(plan).tasks } } } }),
  );
  const page = await openPage(it, `plans/${id}?view=logs`);
  await line(page, 'inside', 'sub/t').waitFor();
  await logs(page).getByRole('option', { name: 'The one at work: sub/t' }).waitFor({ state: 'attached' });
  go();
  await logs(page)
    .getByRole('option', { name: /^The last at work/ })
    .waitFor({ state: 'attached' });
});
