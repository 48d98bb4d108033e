import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { violations } from './support/axe.ts';
import { openPage, useConsole } from './support/console.ts';
import { type PlanNow, planIn, readPlan, type StateName } from './support/states.ts';

const it = useConsole();

const controls = (page: Page) => page.getByRole('region', { name: 'Controls' });
const button = (page: Page, name: string) => controls(page).getByRole('button', { name, exact: true });

/** All buttons of a plan, in order; those that are off with their reason. */
const shown = (page: Page) =>
  controls(page)
    .getByRole('button')
    .evaluateAll((all) =>
      all.map((each) => {
        const name = each.getAttribute('aria-label') ?? each.textContent;
        if (each.getAttribute('aria-disabled') !== 'true') return name;
        const why = document.getElementById(each.getAttribute('aria-describedby') ?? '')?.textContent;
        return `${name} (off: ${why})`;
      }),
    );

const open = async (id: string): Promise<Page> => {
  const page = await openPage(it, `plans/${id}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page;
};
const becomes = (id: string, is: (plan: PlanNow) => boolean) =>
  expect.poll(async () => is(await readPlan(it.api, id)), { timeout: 20_000 }).toBe(true);
const status =
  (...names: string[]) =>
  ({ state }: PlanNow) =>
    names.includes(state.status);

const dialog = (page: Page) => page.getByRole('dialog');
const stop = async (page: Page) => {
  await button(page, 'Stop').click();
  await dialog(page).getByRole('button', { name: 'Stop for ever' }).click();
};
const pauseWithComment = async (page: Page) => {
  await button(page, 'Pause with a comment').click();
  // What is typed at once is the comment.
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
  await dialog(page).getByLabel('Comment').fill('before the freeze');
  await dialog(page).getByRole('button', { name: 'Pause', exact: true }).click();
};
const nextRun = (name: string, start: string) => async (page: Page) => {
  await button(page, name).click();
  await dialog(page).getByRole('button', { name: start, exact: true, disabled: false }).click();
};

interface Press {
  press?: (page: Page) => Promise<void>;
  /** What the API says of the plan then. */
  gives: (plan: PlanNow) => boolean;
}
const STOP: Press = { press: stop, gives: status('stopped') };
const NEXT_RUNS: Record<string, Press> = {
  'Resume…': { press: nextRun('Resume…', 'Resume'), gives: ({ run }) => run === 2 },
  'Retry…': { press: nextRun('Retry…', 'Retry'), gives: ({ run }) => run === 2 },
  'Resume with edits…': { press: nextRun('Resume with edits…', 'Resume with edits'), gives: ({ run }) => run === 2 },
};

/** Document 1's table: what is shown in each state, and what pressing it does. */
const TABLE: Record<StateName, Record<string, Press>> = {
  pending_review: { Approve: { gives: status('stand_by') }, Stop: STOP },
  stand_by: {
    Pause: { gives: status('paused') },
    'Pause with a comment': { press: pauseWithComment, gives: status('paused') },
    Stop: STOP,
  },
  awaiting_input: {
    Pause: { gives: status('paused') },
    'Pause with a comment': { press: pauseWithComment, gives: status('paused') },
    Stop: STOP,
  },
  executing: {
    'Pause after what runs': { gives: ({ state, pausing }) => state.status === 'executing' && pausing },
    'Pause with a comment': { press: pauseWithComment, gives: ({ pausing }) => pausing },
    Stop: STOP,
  },
  pausing: {
    Resume: { gives: ({ state, pausing }) => state.status === 'executing' && !pausing },
    Stop: STOP,
  },
  paused: { Resume: { gives: status('stand_by') }, Stop: STOP },
  completed: {},
  failed: NEXT_RUNS,
  stopped: NEXT_RUNS,
};

for (const [state, buttons] of Object.entries(TABLE) as [StateName, Record<string, Press>][]) {
  test(`${state}: shows exactly the buttons of the table, all on, in a page without barriers`, async () => {
    const page = await open(await planIn(it.api, state));
    await expect.poll(() => shown(page)).toEqual(Object.keys(buttons));
    expect(await violations(page)).toEqual([]);
  });
  for (const [name, { press, gives }] of Object.entries(buttons))
    test(`${state}: “${name}” does what it says`, async () => {
      const id = await planIn(it.api, state);
      const page = await open(id);
      await (press ? press(page) : button(page, name).click());
      await becomes(id, gives);
    });
}

test('while a plan is being stopped its buttons are off, and say why', async () => {
  const file = `plan: 1\nname: obstinate\ntasks: { a: { run: "trap '' TERM; echo set; sleep 3000" } }\n`;
  const id = await it.api.create(file);
  const logs = () => fetch(`${it.url}/api/plans/${id}/tasks/a/logs`, { headers: { accept: 'text/plain' } });
  await expect.poll(async () => (await logs()).text(), { timeout: 20_000 }).toContain('set');
  const page = await open(id);
  await expect.poll(() => shown(page)).toHaveLength(3);
  await stop(page);
  const off = '(off: the plan is being stopped)';
  await expect
    .poll(() => shown(page), { interval: 20 })
    .toEqual([`Pause after what runs ${off}`, `Pause with a comment ${off}`, `Stop ${off}`]);
  await page.getByText('Stopping: ends what runs').waitFor();
  await page.getByText('Stopped', { exact: true }).waitFor();
});

test('a plan that is being paused says what it waits for', async () => {
  const page = await open(await planIn(it.api, 'pausing'));
  await page.getByText('Pausing: waits for 1 running task').waitFor();
});

test('two who press at once: one is told that the other was first, and the page shows what is', async () => {
  const id = await planIn(it.api, 'stand_by');
  const page = await open(id);
  // What another did just before is not seen yet: as if the event were still on its way.
  await page.route(`**/api/plans/${id}/pause`, async (route) => {
    await it.api.put(`/api/plans/${id}/pause`);
    await route.continue();
  });
  await button(page, 'Pause').click();
  await page.getByRole('region', { name: 'Notices' }).getByText('cannot pause a plan that is paused').waitFor();
  await expect.poll(() => shown(page)).toEqual(['Resume', 'Stop']);
});

test('a double click sends one command', async () => {
  const id = await planIn(it.api, 'stand_by');
  const page = await open(id);
  let sent = 0;
  page.on('request', (request) => (sent += request.method() === 'PUT' ? 1 : 0));
  // Both before the page is drawn again.
  await button(page, 'Pause').evaluate((pause: HTMLButtonElement) => {
    pause.click();
    pause.click();
  });
  await button(page, 'Resume').waitFor();
  expect(sent).toBe(1);
  expect(await readPlan(it.api, id)).toMatchObject({ state: { status: 'paused' } });
  expect(await page.getByRole('region', { name: 'Notices' }).textContent()).toBe('');
});

test('what one browser does is seen in another within a second', async () => {
  const id = await planIn(it.api, 'stand_by');
  const [here, there] = [await open(id), await open(id)];
  // Warm: both follow the plan's events.
  await button(here, 'Pause').click();
  await button(there, 'Resume').click();
  await button(here, 'Pause').waitFor();
  const answered = here.waitForResponse((response) => response.url().endsWith('/pause'));
  await button(here, 'Pause').click();
  await answered;
  await button(there, 'Resume').waitFor({ timeout: 1_000 });
  await there.getByText('Paused', { exact: true }).waitFor({ timeout: 1_000 });
});

test('by the keyboard alone: Tab to stop, Escape away, Enter to stop it, and the focus is never lost', async () => {
  const id = await planIn(it.api, 'stand_by');
  const page = await open(id);
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await button(page, 'Stop').waitFor();
  for (let presses = 0; presses < 20 && (await focused()) !== 'Stop'; presses++) await page.keyboard.press('Tab');
  expect(await focused()).toBe('Stop');
  await page.keyboard.press('Enter');
  await dialog(page).waitFor();
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
  await expect.poll(focused).toBe('Stop');
  await page.keyboard.press('Enter');
  await dialog(page).waitFor();
  expect(await violations(page)).toEqual([]);
  for (let presses = 0; presses < 10 && (await focused()) !== 'Stop for ever'; presses++)
    await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('Stopped', { exact: true }).waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement !== document.body)).toBe(true);
});

test('a button that makes way for another leaves the focus with it', async () => {
  const page = await open(await planIn(it.api, 'stand_by'));
  await button(page, 'Pause').focus();
  await page.keyboard.press('Enter');
  await button(page, 'Resume').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Resume');
});

test('a stop whose plan ended while the dialog was open cannot be confirmed, and says why', async () => {
  const id = await planIn(it.api, 'stand_by');
  const page = await open(id);
  await button(page, 'Stop').click();
  await it.api.put(`/api/plans/${id}/stop`);
  await dialog(page).getByRole('alert').getByText('cannot stop a plan that is stopped').waitFor();
  expect(await dialog(page).getByRole('button', { name: 'Stop for ever' }).getAttribute('aria-disabled')).toBe('true');
});

/** Between the page and the API, as while no worker answers; gives how to let one answer. */
async function withoutWorker(page: Page, id: string): Promise<() => Promise<unknown>> {
  let kept: { request_id: string } | undefined;
  let isThere = false;
  await page.route(`**/api/plans/${id}/pause`, (route) => {
    kept = route.request().postDataJSON();
    const message = 'the command is kept, but no worker has answered yet; ask for its outcome later';
    return route.fulfill({ status: 202, json: { plan_id: id, ...kept, message } });
  });
  await page.route(`**/api/plans/${id}/commands/*`, (route) =>
    isThere ? route.continue() : route.fulfill({ json: { ...kept, result: 'pending' } }),
  );
  return async () => {
    await it.api.put(`/api/plans/${id}/pause`, kept);
    isThere = true;
  };
}

test('a command that no worker has taken is kept: the page says so, sends it once, and tells when it took effect', async () => {
  const id = await planIn(it.api, 'stand_by');
  const page = await open(id);
  const workerIsBack = await withoutWorker(page, id);
  await button(page, 'Pause').click();
  const notices = page.getByRole('region', { name: 'Notices' });
  await notices.getByText(/“Pause” is kept: no worker has answered yet/).waitFor();
  const off = '(off: “Pause” is kept, and takes effect when a worker is there)';
  await expect.poll(() => shown(page)).toEqual([`Pause ${off}`, `Pause with a comment ${off}`, 'Stop']);
  await workerIsBack();
  await notices.getByText('“Pause” has taken effect.').waitFor();
  await expect.poll(() => shown(page)).toEqual(['Resume', 'Stop']);
});

test('a command that was kept and then refused is told with the reason', async () => {
  const id = await planIn(it.api, 'stand_by');
  const page = await open(id);
  const workerIsBack = await withoutWorker(page, id);
  await button(page, 'Pause').click();
  await page.getByText(/“Pause” is kept: no worker has answered yet/).waitFor();
  await it.api.put(`/api/plans/${id}/stop`);
  await workerIsBack();
  const told = /“Pause”, which was kept, was refused: .+/;
  await page.getByRole('region', { name: 'Notices' }).getByText(told).waitFor();
});

test('the header leads to the Temporal Web UI and to the bundle, and copies the id', async () => {
  const id = await planIn(it.api, 'stand_by');
  const page = await open(id);
  const { temporal } = (await it.api.get('/api/about')).json;
  const link = page.getByRole('link', { name: 'Temporal Web UI' });
  const workflow = encodeURIComponent(`plan/local/${id}`);
  expect(await link.getAttribute('href')).toBe(`${temporal.ui_url}/namespaces/default/workflows/${workflow}`);
  expect(await link.getAttribute('target')).toBe('_blank');
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Bundle' }).click();
  expect((await download).suggestedFilename()).toMatch(/\.zip$/);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy the plan’s id' }).click();
  await page.getByText('Copied', { exact: true }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(id);
});

test('a failed plan says why, and leads to the task', async () => {
  const page = await open(await planIn(it.api, 'failed'));
  await page.getByText('TASK_FAILED').waitFor();
  await page.getByTitle('Look at the task b').click();
  await page.getByRole('complementary', { name: 'Task b' }).waitFor();
});
