import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { rpcClient } from '../mcp/rpc.ts';
import { catalogOf, type Source, startSource } from '../support/source-stub.ts';
import { violations } from './support/axe.ts';
import { openPage, useConsole } from './support/console.ts';

/** What a source may say: nothing of it is markup, and no character of it steers the page. */
const HOSTILE = `<img src=x onerror="document.title='taken'"> <script>document.title='taken'</script> \u202e[x](javascript:1) \u001b[31mred`;
const ROW = (i: number): object => ({ id: i + 1, name: `p${i + 1}`, base_experience: i });

const source: Source = await startSource(900);
const host = new URL(source.url).host;
afterAll(() => source.stop());
const it = useConsole({ HOLDPOINT_ALLOW_PRIVATE_HOSTS: host });
let hash: string;
beforeAll(async () => {
  const response = await fetch(`${it.url}/catalogs`, {
    method: 'POST',
    headers: { 'content-type': 'application/yaml' },
    body: catalogOf(source),
  });
  hash = ((await response.json()) as { prompt_hash: string }).prompt_hash;
});
beforeEach(() => void Object.assign(source, { delayMs: 0, status: 200, row: ROW }));

const BIG = 'Pokemon.filter{base_experience >= 300}';
let made = 0;
const newSession = () => `s-${++made}`;
const session = (name: string) => `programs/${hash}/${name}`;
const program = (page: Page) => page.getByRole('textbox', { name: 'Program' });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const operation = (page: Page, handle: string) =>
  page.getByRole('list', { name: 'Operations, newest first' }).getByRole('listitem').filter({ hasText: handle });
const rowsOf = (page: Page, label = 'Pokemon') => page.getByRole('region', { name: `Rows of ${label}` });
const widths = (page: Page) =>
  page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
async function accept(name: string, text: string): Promise<void> {
  const response = await fetch(`${it.url}/execute/${hash}/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ program: text, wait: false, force: true }),
  });
  expect(response.status).toBe(202);
}

test('a catalog is found and read, and a session opened over it', async () => {
  const page = await openPage(it, 'programs');
  await page.getByRole('link', { name: 'pokedex' }).waitFor();
  await page.getByText('None: the first dry run, or operation, makes one.').waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('link', { name: 'pokedex' }).click();
  await page.getByRole('region', { name: 'Teaching text' }).getByText(`prompt_hash: ${hash}`).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByLabel('Session', { exact: true }).fill('a/b ü');
  await button(page, 'Open').click();
  await page.getByRole('heading', { name: 'a/b ü' }).waitFor();
  await page.getByText('Nothing has been run in the background here.').waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'a/b ü' }).waitFor();
  await page.goto(`${it.url}/console/programs/abcdef0123456789`);
  await page.getByRole('alert').getByText('CATALOG_NOT_FOUND').waitFor();
});

test('a program that is bounded runs at once, its rows are turned over, and a row is seen whole', async () => {
  const page = await openPage(it, session(newSession()));
  expect(await button(page, 'Run now').getAttribute('title')).toBe('there is no program');
  await program(page).fill('Pokemon.limit(120)');
  await button(page, 'Run now').click();
  const table = rowsOf(page);
  await table.getByText('p100', { exact: true }).waitFor();
  expect(await table.getByText('p101', { exact: true }).count()).toBe(0);
  await button(page, 'Next').click();
  await table.getByText('p101', { exact: true }).waitFor();
  await page.getByText('101–120 of 120').waitFor();
  expect(await violations(page)).toEqual([]);
  await button(page, 'Row 101, whole').click();
  await page.getByRole('dialog').getByText('"base_experience": 100').waitFor();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  // Nothing is left of it in the background.
  await page.getByText('Nothing has been run in the background here.').waitFor();
  await page.getByRole('link', { name: 'Plan of this run' }).click();
  await page.getByText('Completed', { exact: true }).first().waitFor();
});

test('rows that come page by page are gone on with', async () => {
  const page = await openPage(it, session(newSession()));
  await program(page).fill('Pokemon.page_size(10)[id, name]');
  await button(page, 'Run now').click();
  await rowsOf(page).getByText('p10', { exact: true }).waitFor();
  await page.getByRole('button', { name: /^More rows/ }).click();
  await rowsOf(page).getByText('p20', { exact: true }).waitFor();
  expect(await rowsOf(page).getByText('p10', { exact: true }).count()).toBe(0);
});

test('what is wrong in a program is said with its place, which the cursor is led to', async () => {
  const page = await openPage(it, session(newSession()));
  await program(page).fill('Pokemon\n  .filter{base_experienc >= 3}');
  await program(page).press('Control+Enter');
  const problem = page.getByRole('button', { name: /^Line 2, column 11/ });
  await problem.getByText(/base_experience/).waitFor();
  expect(await button(page, 'Run now').getAttribute('title')).toMatch(/mend them/);
  expect(await violations(page)).toEqual([]);
  await problem.click();
  const selected = await program(page).evaluate((area) => {
    const { value, selectionStart, selectionEnd } = area as HTMLTextAreaElement;
    return value.slice(selectionStart, selectionEnd);
  });
  expect(selected).toBe('base_experienc');
});

test('what has to be reviewed is refused, dry-run without a question to its source, accepted, and told live to its end', async () => {
  const name = newSession();
  const page = await openPage(it, session(name), { viewport: { width: 360, height: 740 } });
  const before = source.hits;
  await program(page).fill(BIG);
  await button(page, 'Run now').click();
  await page.getByRole('alert').getByText('REVIEW_REQUIRED').waitFor();
  await button(page, 'Dry run').click();
  const dry = page.getByRole('region', { name: 'Dry run', exact: true });
  await dry.getByText('To be reviewed', { exact: true }).waitFor();
  await dry.getByText('pc0', { exact: true }).waitFor();
  await dry.getByText('1 call of the source, or more').waitFor();
  await dry.getByRole('listitem').filter({ hasText: 'unbounded read' }).waitFor();
  expect(source.hits).toBe(before);
  expect(await violations(page)).toEqual([]);
  expect(await widths(page)).toEqual([360, 360]);
  // Another program is not accepted by it.
  await program(page).press('End');
  await program(page).pressSequentially(' ');
  await dry.getByText(/has changed since/).waitFor();
  await button(page, 'Run in the background').waitFor();
  await program(page).fill(BIG);
  source.delayMs = 400;
  await button(page, 'Accept and run in the background').click();
  const row = operation(page, 's0_o1');
  await row.getByText('Running', { exact: true }).waitFor();
  await row.getByText('Review accepted').waitFor();
  await row.getByText(/^`s0_o1` ~ 1\/1 Pokemon \d+r$/).waitFor();
  expect(await violations(page)).toEqual([]);
  await row.getByText('Succeeded', { exact: true }).waitFor();
  await row.getByText('`s0_o1` ! 600r', { exact: true }).waitFor();
  await row.getByText('600 rows', { exact: true }).waitFor();
  expect(await row.getByRole('button', { name: /Cancel/ }).count()).toBe(0);
  expect(await widths(page)).toEqual([360, 360]);
  await page.goto(`${it.url}/console/programs`);
  await page.getByRole('listitem').filter({ hasText: name }).getByText('1 operation', { exact: true }).waitFor();
});

test('an operation tells its lines as they come, and its rows before it has ended', async () => {
  const name = newSession();
  source.delayMs = 700;
  await accept(name, BIG);
  const page = await openPage(it, `${session(name)}/s0_o1`);
  const log = page.getByRole('log', { name: 'What it told' });
  await log.getByText('`s0_o1` + review', { exact: true }).waitFor();
  await log
    .getByText(/^`s0_o1` ~ 1\/1 Pokemon \d+r$/)
    .first()
    .waitFor();
  await page.getByRole('heading', { name: 'Rows so far' }).waitFor();
  await rowsOf(page).getByText('p301', { exact: true }).waitFor();
  source.delayMs = 0;
  await log.getByText('`s0_o1` ! 600r', { exact: true }).waitFor();
  await page.getByRole('heading', { name: 'Result' }).waitFor();
  await page.getByText('1–100 of 600').waitFor();
  for (const last of ['p500', 'p600', 'p700']) {
    await button(page, 'Next').click();
    await rowsOf(page).getByText(last, { exact: true }).waitFor();
  }
  // What is shown is in the address.
  await page.reload();
  await page.getByText('301–400 of 600').waitFor();
  expect(await violations(page)).toEqual([]);
  await log.getByText('`s0_o1` ! 600r', { exact: true }).waitFor();
  await page.getByText(/^\d+ requests$/).waitFor();
  const json = await page.getByRole('link', { name: 'JSON' }).getAttribute('href');
  const read = (await (await fetch(json!)).json()) as { rows: unknown[] };
  expect(read.rows).toHaveLength(300);
  const ui = page.getByRole('link', { name: 'Temporal Web UI' });
  expect(await ui.getAttribute('href')).toContain('/workflows/');
  await page.getByRole('link', { name: 'Its plan' }).click();
  await page.getByText('Completed', { exact: true }).first().waitFor();
});

test('one that waits for somebody says so, and leads to where it is answered', async () => {
  const name = newSession();
  await accept(name, 'plan: 1\nname: asks\ntasks: { ok: { approve: "Go on with it?" } }\n');
  const page = await openPage(it, `${session(name)}/s0_o1`);
  const waits = page.getByRole('region', { name: 'Why it stands still' });
  await waits.getByText('Go on with it?').waitFor();
  expect(await violations(page)).toEqual([]);
  await waits.getByRole('link').click();
  await page.getByRole('button', { name: 'approve', exact: true }).click();
  await page.goBack();
  await page.getByText('Succeeded', { exact: true }).first().waitFor();
  expect(await waits.count()).toBe(0);
});

test('a cancelled operation keeps what it has read', async () => {
  const name = newSession();
  source.delayMs = 500;
  await accept(name, 'Pokemon[id, name]');
  const page = await openPage(it, session(name));
  const row = operation(page, 's0_o1');
  await row.getByText(/^`s0_o1` ~ 1\/1 Pokemon \d+r$/).waitFor();
  await program(page).fill('Pokemon.limit(7)');
  const cancel = row.getByRole('button', { name: 'Cancel s0_o1' });
  await cancel.click();
  const dialog = page.getByRole('dialog', { name: 'Cancel s0_o1?' });
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Let it run' }).click();
  await row.getByText('Running', { exact: true }).waitFor();
  await cancel.click();
  await dialog.getByRole('button', { name: 'Cancel the operation' }).click();
  await row.getByText('Cancelled', { exact: true }).waitFor();
  const line = await row.getByText(/^`s0_o1` x \d+r$/).textContent();
  const kept = Number(/ (\d+)r$/.exec(line!)![1]);
  expect(kept).toBeGreaterThanOrEqual(50);
  expect(kept).toBeLessThan(900);
  await row.getByRole('link', { name: 's0_o1', exact: true }).click();
  await page.getByRole('heading', { name: 'Rows kept before it was cancelled' }).waitFor();
  await page.getByText(`${kept} rows`, { exact: true }).waitFor();
  await rowsOf(page).getByText('p50', { exact: true }).waitFor();
  await page.getByRole('region', { name: 'What operators see' }).getByText('Stopped', { exact: true }).waitFor();
  expect(await violations(page)).toEqual([]);
  // What was being written is there when one comes back.
  await page.goBack();
  expect(await program(page).inputValue()).toBe('Pokemon.limit(7)');
  await page.goto(`${it.url}/console/${session(newSession())}`);
  expect(await program(page).inputValue()).toBe('');
});

test('what an agent runs over MCP is followed and cancelled, and nothing else is run in its session', async () => {
  const name = newSession();
  source.delayMs = 800;
  const agent = async (program: string, more: object = {}) => {
    const given = { prompt_hash: hash, session: name, program, ...more };
    const { _meta } = await rpcClient(it.url).rpc('tools/call', { name: 'plasm_run', arguments: given });
    return _meta.plasm;
  };
  const accepted = await agent('Pokemon[id, name]', { wait: false, force: true });
  expect(accepted.continuity).toEqual({ p: 'running', h: 's1_o1' });
  const page = await openPage(it, 'programs');
  await page.getByRole('link', { name, exact: true }).click();
  await page.getByText('An agent’s, over MCP').waitFor();
  const row = operation(page, 's1_o1');
  await row.getByText(/^`s1_o1` ~ 1\/1 Pokemon \d+r$/).waitFor();
  expect(await program(page).count()).toBe(0);
  expect(await violations(page)).toEqual([]);
  await page.reload();
  await row.getByRole('link', { name: 's1_o1', exact: true }).click();
  await rowsOf(page).getByText('p50', { exact: true }).waitFor();
  await button(page, 'Cancel s1_o1').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the operation' }).click();
  await page
    .getByText(/^`s1_o1` x \d+r$/)
    .first()
    .waitFor();
  const { op } = await agent('wait(s1_o1)');
  expect(op).toMatchObject({ x: 1 });
  await page.getByText(`${op.r} rows`, { exact: true }).waitFor();
});

test('several results have a table each', async () => {
  const name = newSession();
  await accept(
    name,
    'first = Pokemon.limit(2)\nstrong = Pokemon.filter{base_experience >= 300}.limit(3)\nreturn first, strong',
  );
  const page = await openPage(it, `${session(name)}/s0_o1`);
  await rowsOf(page, 'first').getByText('p2', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'strong 3' }).click();
  await rowsOf(page, 'strong').getByText('p303', { exact: true }).waitFor();
  expect(await violations(page)).toEqual([]);
});

test('what a source says is text, and nothing else', async () => {
  // A value of another type than its field's is kept as it is.
  const base_experience = { [HOSTILE]: { deep: [HOSTILE] }, __proto__x: 'y'.repeat(5_000) };
  source.row = (i) => ({ id: i + 1, name: HOSTILE, base_experience });
  const name = newSession();
  await accept(name, 'Pokemon.limit(3)');
  const page = await openPage(it, `${session(name)}/s0_o1`, { viewport: { width: 360, height: 740 } });
  const cell = rowsOf(page)
    .getByRole('cell')
    .filter({ hasText: /^<img src=x/ })
    .first();
  await cell.waitFor();
  expect(await cell.textContent()).not.toContain('\u001b');
  expect(await page.locator('main img, main script').count()).toBe(0);
  expect(await page.title()).toContain('s0_o1');
  expect(await widths(page)).toEqual([360, 360]);
  expect(await violations(page)).toEqual([]);
  await button(page, 'Row 1, whole').click();
  await page.getByRole('dialog').getByText('"deep"').waitFor();
  expect(await page.locator('[role=dialog] img, [role=dialog] script').count()).toBe(0);
  expect(await violations(page)).toEqual([]);
});

test('one that fails says why, and keeps what it had', async () => {
  const name = newSession();
  source.delayMs = 500;
  await accept(name, 'Pokemon[id, name]');
  const page = await openPage(it, `${session(name)}/s0_o1`);
  await rowsOf(page).getByText('p50', { exact: true }).waitFor();
  source.status = 404;
  await page.getByRole('heading', { name: 'Rows kept before it failed' }).waitFor();
  await page
    .getByRole('log', { name: 'What it told' })
    .getByText(/^`s0_o1` \? .*404/)
    .waitFor();
  await page.locator('.program-head').getByText(/404/).waitFor();
  expect(await violations(page)).toEqual([]);
  await rowsOf(page).getByText('p50', { exact: true }).waitFor();
  await page.goto(`${it.url}/console/${session(name)}/s0_o9`);
  await page.getByRole('alert').getByText('HANDLE_NOT_FOUND').waitFor();
});
