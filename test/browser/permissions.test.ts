import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '../support/world.ts';
import { violations } from './support/axe.ts';
import { openPage, useConsole } from './support/console.ts';
import { planIn, type StateName } from './support/states.ts';

const path = join(tempDir('keys'), 'keys.json');
const ADA = { key: 'ada-key-123456', id: 'ada', name: 'Ada L.', org_id: 'acme', permissions: ['admin'] };
const READER = { ...ADA, key: 'read-key-123456', id: 'rea', name: 'Rea', permissions: ['plan:read'] };
const APPROVER = {
  ...READER,
  key: 'app-key-123456',
  id: 'app',
  name: 'App',
  permissions: ['plan:read', 'plan:approve'],
};
writeFileSync(path, JSON.stringify([ADA, READER, APPROVER]), { mode: 0o600 });
const it = useConsole({ HOLDPOINT_API_KEYS: path });

/** The engine's API as the administrator calls it. */
const api = {
  call: async (method: string, address: string, body?: string) => {
    const headers = { authorization: `Bearer ${ADA.key}`, ...(body && { 'content-type': 'application/yaml' }) };
    const response = await fetch(it.url + address, { method, headers, ...(body && { body }) });
    const text = await response.text();
    return { status: response.status, json: text ? JSON.parse(text) : undefined };
  },
  create: async (plan: string): Promise<string> => (await api.call('POST', '/api/plans', plan)).json.plan_id,
  get: (address: string) => api.call('GET', address),
  put: (address: string) => api.call('PUT', address),
};

async function openAs({ key }: typeof ADA, id: string) {
  const page = await openPage(it, `plans/${id}`);
  await page.getByLabel('API key or bearer token').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  return page;
}
const NEEDS = 'needs the permission plan:approve, which you do not have';

test.each(['pending_review', 'stand_by', 'awaiting_input', 'executing', 'paused'] satisfies StateName[])(
  'whoever may only read sees the buttons of a plan that is %s, off and with the reason',
  async (state) => {
    const page = await openAs(READER, await planIn(api, state));
    const buttons = page.getByRole('region', { name: 'Controls' }).getByRole('button');
    await buttons.first().waitFor();
    const said = await buttons.evaluateAll((all) => all.map((each) => [each.ariaDisabled, each.getAttribute('title')]));
    expect(said.length).toBeGreaterThan(1);
    for (const each of said) expect(each).toEqual(['true', NEEDS]);
    expect(await violations(page)).toEqual([]);
  },
);

test('whoever may only read is told whom a question needs, and cannot answer it', async () => {
  const page = await openAs(READER, await planIn(api, 'awaiting_input'));
  const card = page.getByRole('article', { name: 'Question a.1' });
  await card.getByText('needs somebody with plan:approve').waitFor();
  const approve = card.getByRole('button', { name: 'approve', exact: true });
  expect(await approve.getAttribute('title')).toBe(NEEDS);
});

test('a next run needs what its tasks need, and an edited one also what a new plan needs', async () => {
  const page = await openAs(APPROVER, await planIn(api, 'failed'));
  const title = (name: string) => page.getByRole('button', { name, exact: true }).getAttribute('title');
  expect(await title('Resume…')).toBe('needs the permission plan:run_commands, which you do not have');
  expect(await title('Resume with edits…')).toBe(
    'needs the permission plan:create and plan:run_commands, which you do not have',
  );
});

test('whoever may approve and answers is named to everybody', async () => {
  const id = await planIn(api, 'awaiting_input');
  const [page, other] = [await openAs(APPROVER, id), await openAs(READER, id)];
  await other.getByText('Ship it?').first().waitFor();
  await page.getByRole('button', { name: 'approve', exact: true }).click();
  await other.getByRole('status').getByText('Answered “approve” by App').waitFor();
});
