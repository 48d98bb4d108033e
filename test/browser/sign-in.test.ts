import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { tempDir } from '../support/world.ts';
import { newContext, openPage, useConsole } from './support/console.ts';

const path = join(tempDir('keys'), 'keys.json');
const ADA = { key: 'ada-key-123456', id: 'ada', name: 'Ada L.', org_id: 'acme', permissions: ['admin'] };
const EVE = { key: 'eve-key-123456', id: 'eve', name: 'Eve', org_id: 'other', permissions: ['plan:read'] };
const write = (...keys: object[]) => writeFileSync(path, JSON.stringify(keys, null, 2), { mode: 0o600 });
write(ADA, EVE);
const it = useConsole({ HOLDPOINT_API_KEYS: path });
const GATE = 'plan: 1\nname: gate\ntasks:\n  ok: { approve: "Ship it?" }\n';

const signIn = async (page: Page, key: string) => {
  await page.getByLabel('API key or bearer token').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
};
const created = async (key: string): Promise<string> => {
  const { json } = await it.api.post('/api/plans', GATE, { authorization: `Bearer ${key}` });
  return json.plan_id;
};

test('whoever has no key sees nothing; a wrong one is refused; a right one shows the page that was asked for', async () => {
  const id = await created(ADA.key);
  const page = await openPage(it, `plans/${id}`);
  await page.getByRole('heading', { name: 'Sign in to Holdpoint' }).waitFor();
  await signIn(page, 'wrong-key-1234');
  await page
    .getByRole('alert')
    .getByText(/not known/)
    .waitFor();
  await signIn(page, ADA.key);
  await page.getByRole('heading', { name: 'gate' }).waitFor();
  await page.getByTitle('Ada L. (ada) of the organisation acme').waitFor();
  expect(page.url()).toContain(`/console/plans/${id}`);
});

test('the key is out of the reach of scripts, and a reload keeps one signed in', async () => {
  const page = await openPage(it);
  await signIn(page, ADA.key);
  await page.getByTitle(/^Ada L/).waitFor();
  const seen = await page.evaluate(() => [
    document.cookie,
    JSON.stringify(localStorage),
    JSON.stringify(sessionStorage),
  ]);
  expect(seen.join()).not.toContain(ADA.key);
  const [cookie] = await page.context().cookies();
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', expires: -1 });
  await page.reload();
  await page.getByTitle(/^Ada L/).waitFor();
});

test('after signing out another person sees their own organisation, and nothing of the first', async () => {
  await created(ADA.key);
  const page = await openPage(it);
  await signIn(page, ADA.key);
  await page.getByRole('link', { name: 'gate' }).first().waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in to Holdpoint' }).waitFor();
  await page.reload();
  await signIn(page, EVE.key);
  await page.getByTitle('Eve (eve) of the organisation other').waitFor();
  await page
    .getByText(/no plans/i)
    .first()
    .waitFor();
  expect(await page.getByRole('link', { name: 'gate' }).count()).toBe(0);
});

test('a plan of another organisation is not there', async () => {
  const id = await created(ADA.key);
  const page = await openPage(it, `plans/${id}`);
  await signIn(page, EVE.key);
  await page.getByText('PLAN_NOT_FOUND').waitFor();
});

test('whoever’s key is taken away is asked to sign in where they are', async () => {
  const id = await created(ADA.key);
  const context = await newContext(it);
  const page = await context.newPage();
  await page.goto(`${it.url}/console/plans/${id}`);
  await signIn(page, ADA.key);
  await page.getByRole('heading', { name: 'gate' }).waitFor();
  write(EVE);
  await page.getByRole('heading', { name: 'Sign in to Holdpoint' }).waitFor();
  write(ADA, EVE);
  const me = () => fetch(`${it.url}/api/me`, { headers: { authorization: `Bearer ${ADA.key}` } });
  await expect.poll(async () => (await me()).status, { timeout: 10_000 }).toBe(200);
  await signIn(page, ADA.key);
  await page.getByRole('heading', { name: 'gate' }).waitFor();
});
