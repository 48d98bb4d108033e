import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { violations } from './support/axe.ts';
import { newContext, openPage, useConsole } from './support/console.ts';
import { planIn } from './support/plans.ts';

const it = useConsole();

const box = (page: Page, name: string) => page.getByRole('checkbox', { name: new RegExp(`^Select ${name} `) });
const toolbar = (page: Page) => page.getByRole('toolbar', { name: 'Selected plans' });

test('a bulk pause says beforehand which plans it is for and which not and why, and does just that', async () => {
  const ready = [await planIn(it, 'stand_by', 'p one'), await planIn(it, 'awaiting_input', 'p two')];
  const later = await planIn(it, 'executing', 'p three');
  await planIn(it, 'paused', 'p four');
  await planIn(it, 'pending_review', 'p five');
  await planIn(it, 'completed', 'p six');
  const page = await openPage(it);
  await box(page, 'p one').waitFor();
  await toolbar(page).getByRole('button', { name: 'Pause' }).click({ force: true });
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(await toolbar(page).getByRole('button', { name: 'Pause' }).getAttribute('title')).toBe('Select plans first.');

  await page.getByRole('checkbox', { name: 'Select all plans that are loaded' }).check();
  await toolbar(page).getByText('6 of 6 plans selected').waitFor();
  await toolbar(page).getByRole('button', { name: 'Pause' }).click();
  const dialog = page.getByRole('dialog', { name: 'Pause 6 plans' });
  await dialog.getByText('2 plans will be paused.').waitFor();
  await dialog.getByText('1 plan will be paused once the tasks that run have ended.').waitFor();
  await dialog.getByText('3 plans cannot be paused:').waitFor();
  for (const why of ['1 paused already – p four', '1 in review: nothing of them runs yet', '1 completed already'])
    await dialog.getByText(why).waitFor();
  expect(await violations(page)).toEqual([]);

  await dialog.getByRole('button', { name: 'Pause 3 plans' }).click();
  await dialog.getByText('2 plans paused.').waitFor();
  await dialog.getByText('1 plan will be paused once what runs has ended').waitFor();
  for (const id of ready) expect(await it.api.state(id)).toBe('paused');
  expect((await it.api.get(`/api/plans/${later}`)).json.pausing).toBe(true);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await page
    .getByRole('row', { name: /^Select p three / })
    .getByText('Pauses when b has ended')
    .waitFor();
  await toolbar(page).getByText('6 plans', { exact: true }).waitFor();
});

test('what cannot be sent is told in the API’s words, for each plan, and stays selected', async () => {
  const gone = await planIn(it, 'stand_by', 's gone');
  await planIn(it, 'stand_by', 's there');
  const page = await openPage(it, '?name=s%20');
  await box(page, 's gone').check();
  await box(page, 's there').check();
  await toolbar(page).getByRole('button', { name: 'Stop' }).click();
  const dialog = page.getByRole('dialog', { name: 'Stop 2 plans' });
  await dialog.getByText('This cannot be undone').waitFor();
  await dialog.getByText('2 plans will be stopped for ever.').waitFor();
  // Somebody else is faster.
  await it.api.put(`/api/plans/${gone}/stop`);
  await dialog.getByRole('button', { name: 'Stop 2 plans' }).click();
  await dialog.getByText('1 plan stopped.').waitFor();
  await dialog.getByText('1 plan not stopped:').waitFor();
  await dialog.getByText(/1 cannot stop a plan that is stopped – s gone/).waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await toolbar(page).getByText('1 of 2 plans selected').waitFor();
});

test('Shift and a click select all rows in between; Escape leaves the dialog and changes nothing', async () => {
  const ids = [];
  for (const name of ['r a', 'r b', 'r c', 'r d']) ids.push(await planIn(it, 'stand_by', name));
  const page = await openPage(it, '?name=r%20');
  await box(page, 'r a').click();
  await box(page, 'r d').click({ modifiers: ['Shift'] });
  await toolbar(page).getByText('4 of 4 plans selected').waitFor();
  await box(page, 'r b').uncheck();
  await toolbar(page).getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('dialog').getByText('3 plans will be stopped for ever.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await toolbar(page).getByText('3 of 4 plans selected').waitFor();
  for (const id of ids) expect(await it.api.state(id)).toBe('stand_by');
});

test('a bulk resume of what is not paused is refused before it is sent', async () => {
  await planIn(it, 'executing', 'e one');
  const page = await openPage(it, '?name=e%20');
  await box(page, 'e one').check();
  await toolbar(page).getByRole('button', { name: 'Resume' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('1 not paused – e one').waitFor();
  const send = dialog.getByRole('button', { name: 'Resume 0 plans' });
  expect(await send.getAttribute('aria-disabled')).toBe('true');
  expect(await send.getAttribute('title')).toBe('It is possible for none of them.');
});

test('whoever may only look sees the actions, and why they are off', async () => {
  await planIn(it, 'stand_by', 'l one');
  const page = await (await newContext(it)).newPage();
  await page.route('**/api/me', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ json: { ...(await answer.json()), permissions: ['plan:read'] } });
  });
  await page.goto(`${it.url}/console/?name=l%20`);
  await box(page, 'l one').check();
  for (const name of ['Pause', 'Resume', 'Stop']) {
    const button = toolbar(page).getByRole('button', { name });
    expect(await button.getAttribute('title')).toBe(
      'You may not control plans: that takes the permission plan:approve.',
    );
    await button.click({ force: true });
  }
  expect(await page.getByRole('dialog').count()).toBe(0);
});
