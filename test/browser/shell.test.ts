import { expect, test } from 'vitest';
import { readEngine } from '../../src/engine/engine-record.ts';
import { newContext, openPage, useConsole } from './support/console.ts';
import { behindPrefix } from './support/prefix-proxy.ts';

const it = useConsole();
const GATE = 'plan: 1\nname: gate\ntasks:\n  ok: { approve: "Ship it?" }\n';

test('the address of the engine leads to the console, which shows who one is', async () => {
  const page = await openPage(it);
  await page.goto(it.url);
  await page.getByTitle(/^local .* of the organisation local$/).waitFor();
  expect(page.url()).toBe(`${it.url}/console/`);
});

test('it works behind a prefix that a proxy takes away, with all that it loads and hears', async () => {
  const url = await behindPrefix(it.url, '/tools/holdpoint');
  const id = await it.api.create(GATE);
  const page = await (await newContext(it)).newPage();
  const outside: string[] = [];
  page.on('request', (request) => !request.url().startsWith(`${url}/`) && outside.push(request.url()));
  const socket = page.waitForEvent('websocket');
  await page.goto(`${url}/console/plans/${id}`);
  await page.getByText('Awaiting input').first().waitFor();
  await page.goto(`${url}/`);
  await page.getByRole('link', { name: 'New plan' }).click();
  expect(page.url()).toBe(`${url}/console/new`);
  expect((await socket).url()).toContain('/tools/holdpoint/api/ws');
  await it.api.put(`/api/plans/${id}/stop`);
  await page.goto(`${url}/console/plans/${id}`);
  await page.getByText('Stopped').first().waitFor();
  expect(outside).toEqual([]);
});

test('a page stays while the engine is killed, says that it may be old, and catches up when it is back', async () => {
  const id = await it.api.create(GATE);
  const page = await openPage(it, `plans/${id}`);
  await page.getByText('Awaiting input').first().waitFor();
  await it.engine.kill();
  await page.getByText(/No connection to Holdpoint since/).waitFor();
  await page.getByText('Awaiting input').first().waitFor();
  it.engine = await it.home.up(it.port);
  // What happens before the page is connected again is not lost to it.
  await it.api.put(`/api/plans/${id}/pause`);
  await page.getByText(/No connection to Holdpoint since/).waitFor({ state: 'detached' });
  await page.getByText('Paused').first().waitFor();
});

test('a view whose code cannot be had leaves the rest of the page as it is, and comes when it can', async () => {
  const page = await openPage(it, `plans/${await it.api.create(GATE)}`);
  await page.getByRole('tab', { name: 'Graph', selected: true }).waitFor();
  await page.route(/gantt-view/, (route) => route.abort());
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await page.getByText(/This part of the console could not be loaded/).waitFor();
  await page.getByRole('button', { name: 'Stop' }).waitFor();
  await page.unroute(/gantt-view/);
  await page.getByRole('region', { name: 'When each task was at work' }).waitFor();
});

test('while no worker answers the page says so', async () => {
  const page = await openPage(it);
  await page.getByRole('link', { name: 'New plan' }).waitFor();
  const server = temporalPid();
  process.kill(server, 'SIGSTOP');
  try {
    await page.getByText(/No worker answers/).waitFor();
  } finally {
    process.kill(server, 'SIGCONT');
  }
  await page.getByText(/No worker answers/).waitFor({ state: 'detached' });
});

test('an address that is none leads back to the list', async () => {
  const page = await openPage(it, 'nowhere/at/all');
  await page.getByText('There is no such page.').waitFor();
  await page.getByRole('link', { name: 'All plans' }).click();
  expect(page.url()).toBe(`${it.url}/console/`);
});

test.each([
  ['light', 'dark'],
  ['dark', 'light'],
] as const)(
  'the theme is the system’s (%s), unless somebody has chosen another, which stays',
  async (system, other) => {
    const page = await openPage(it, '', { colorScheme: system });
    const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    await page.getByRole('button', { name: /^Theme/ }).waitFor();
    const before = await ground();
    const button = page.getByRole('button', { name: /^Theme/ });
    while ((await button.getAttribute('aria-label')) !== `Theme: ${other}`) await button.click();
    const chosen = await ground();
    expect(chosen).not.toBe(before);
    await page.reload();
    await button.waitFor();
    expect(await ground()).toBe(chosen);
  },
);

function temporalPid(): number {
  const { pid } = readEngine(it.home.config) ?? {};
  const server = it.home.processes().find((each) => each !== pid);
  if (server === undefined) throw new Error('there is no Temporal server');
  return server;
}

test('what an address says that is no view and no filter is as if it were not there', async () => {
  const id = await it.api.create(GATE);
  const page = await openPage(it, `plans/${id}?view=nonsense&task={"a":1}`);
  await page.getByRole('tab', { name: 'Graph', selected: true }).waitFor();
  await page.goto(`${it.url}/console/?state=5&name={"a":1}&label=3&more=1`);
  await page.getByRole('link', { name: 'gate' }).first().waitFor();
  expect(await page.getByRole('button', { name: 'Clear filters' }).count()).toBe(0);
});
