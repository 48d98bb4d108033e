import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { violations } from './support/axe.ts';
import { openPage, useConsole } from './support/console.ts';
import { planIn } from './support/states.ts';

const it = useConsole();

const open = (id: string) => openPage(it, `plans/${id}`);
const card = (page: Page, question: string) => page.getByRole('article', { name: `Question ${question}` });
const outcome = (page: Page, question: string) => card(page, question).getByRole('status');
const option = (page: Page, question: string, name: string) =>
  card(page, question).getByRole('button', { name, exact: true });
const task = async (id: string, name: string) =>
  (await it.api.get(`/api/plans/${id}`)).json.tasks.find((each: { id: string }) => each.id === name);

test('an approval is given with a comment, and the card says who gave it', async () => {
  const id = await planIn(it.api, 'awaiting_input');
  const page = await open(id);
  await card(page, 'a.1').getByText('Ship it?').waitFor();
  expect(await violations(page)).toEqual([]);
  await card(page, 'a.1').getByLabel('Comment').fill('looks good');
  await option(page, 'a.1', 'approve').click();
  await outcome(page, 'a.1').getByText('Answered “approve” by local: looks good').waitFor();
  expect(await task(id, 'a')).toMatchObject({ answer: { choice: 'approve', comment: 'looks good', by: 'local' } });
  expect(await option(page, 'a.1', 'reject').getAttribute('aria-disabled')).toBe('true');
  expect(await violations(page)).toEqual([]);
  await card(page, 'a.1').getByRole('button', { name: 'Put question a.1 away' }).click();
  await card(page, 'a.1').waitFor({ state: 'detached' });
});

test('case 19: a question that expires goes dead by event; after a retry only the new one answers', async () => {
  const file = `plan: 1
name: late
tasks:
  ok: { approve: { prompt: "Now?", timeout: 12s, on_timeout: reject } }
  b: { needs: ok, run: "true" }
`;
  const id = await it.api.create(file);
  const page = await open(id);
  const there = await open(id);
  await card(page, 'ok.1')
    .getByText(/^expires in /)
    .waitFor();
  await card(page, 'ok.1').getByLabel('Comment').fill('half a thought');
  await outcome(page, 'ok.1').getByText('Expired: nobody answered in time, which counts as “reject”').waitFor();
  const approve = option(page, 'ok.1', 'approve');
  expect(await approve.getAttribute('aria-disabled')).toBe('true');
  expect(await card(page, 'ok.1').getByLabel('Comment').inputValue()).toBe('half a thought');
  let sent = 0;
  page.on('request', (request) => (sent += request.url().includes('/answer') ? 1 : 0));
  await approve.click({ force: true });
  const late = await it.api.post(`/api/plans/${id}/questions/ok.1/answer`, { choice: 'approve' });
  expect(late.status).toBe(409);
  expect(late.json.detail).toMatch(/expired at .*, outcome reject/);
  expect((await task(id, 'b')).status).not.toBe('succeeded');
  await it.api.post(`/api/plans/${id}/runs`, { mode: 'retry' });
  await option(there, 'ok.2', 'approve').waitFor();
  await approve.click({ force: true });
  expect(sent).toBe(0);
  await option(page, 'ok.2', 'approve').click();
  await page.getByText('Completed', { exact: true }).waitFor();
});

test('a question answered elsewhere closes by event, and keeps what was typed', async () => {
  const file = `plan: 1
name: form
tasks:
  q: { input: { prompt: "Who?", form: { name: { type: string }, age: { type: integer, minimum: 1 } } } }
`;
  const id = await it.api.create(file);
  const page = await open(id);
  await card(page, 'q.1').getByLabel('name').fill('Ada');
  await it.api.post(`/api/plans/${id}/questions/q/answer`, { values: { name: 'Grace', age: 40 } });
  await outcome(page, 'q.1').getByText('Answered by local').waitFor();
  expect(await card(page, 'q.1').getByLabel('name').inputValue()).toBe('Ada');
  expect(await card(page, 'q.1').getByLabel('name').isDisabled()).toBe(true);
});

test('two who answer at once: the second is told who answered what', async () => {
  const id = await planIn(it.api, 'awaiting_input');
  const page = await open(id);
  await page.route('**/answer', async (route) => {
    await it.api.post(`/api/plans/${id}/questions/a.1/answer`, { choice: 'approve' });
    await route.continue();
  });
  await option(page, 'a.1', 'reject').click();
  await card(page, 'a.1').getByRole('alert').getByText('already answered "approve" by local').waitFor();
});

const FIELDS = `plan: 1
name: fields
tasks:
  other: { wait: 1s }
  more: { needs: other, approve: "More?" }
  q:
    input:
      prompt: Details
      form:
        version: { type: string, title: Version, minLength: 3 }
        age: { type: integer, minimum: 1, maximum: 120 }
        ratio: { type: number, required: false }
        urgent: { type: boolean }
        notify: { type: boolean, default: true }
        channel: { type: string, enum: [stable, beta], default: stable }
        regions: { type: array, items: { type: string, enum: [eu, us] }, required: false }
        tags: { type: array, items: { type: string }, required: false }
        due: { type: string, format: date, required: false }
        owner: { type: object, properties: { name: { type: string }, floor: { type: integer } }, required: [name] }
        extra: { type: object, required: false }
`;

test('a form has a field for each kind of value, says what is wrong at the field, and sends what was written', async () => {
  const id = await it.api.create(FIELDS);
  const page = await open(id);
  const form = card(page, 'q.1');
  await form.getByLabel('Version').fill('1');
  // Events come meanwhile: another question is asked.
  await card(page, 'more.1').waitFor();
  expect(await form.getByLabel('Version').inputValue()).toBe('1');
  await form.getByRole('button', { name: 'Answer' }).click();
  await form.getByText('At least 3 characters.').nth(1).waitFor();
  expect(await form.getByText('This is needed.').count()).toBe(3);
  await expect.poll(() => page.evaluate(() => document.activeElement?.id.endsWith('version'))).toBe(true);
  await form.getByLabel('age').fill('12x');
  await form.getByText('Write a whole number.').waitFor();
  expect(await violations(page)).toEqual([]);
  await form.getByLabel('age').fill('121');
  await form.getByText('At most 120.', { exact: true }).waitFor();
  await form.getByLabel('Version').fill('2.0');
  await form.getByLabel('age').fill('41');
  await form.getByLabel('ratio').fill('1.50');
  await form.getByLabel('urgent').selectOption('Yes');
  await form.getByLabel('notify').uncheck();
  await form.getByLabel('channel').selectOption('beta');
  await form.getByLabel('us', { exact: true }).check();
  await form.getByLabel('tags').fill('a\nb c\n');
  await form.getByLabel('due').fill('2030-01-31');
  await form.getByLabel('name').fill('Ada');
  await form.getByLabel('extra').fill('{"deep": [1, ');
  await form.getByText(/^This is no JSON/).waitFor();
  await form.getByLabel('extra').fill('{"deep": [1, 2]}');
  await form.getByRole('button', { name: 'Answer' }).click();
  await outcome(page, 'q.1').getByText('Answered by local').waitFor();
  expect((await task(id, 'q')).answer.values).toEqual({
    version: '2.0',
    age: 41,
    ratio: 1.5,
    urgent: true,
    notify: false,
    channel: 'beta',
    regions: ['us'],
    tags: ['a', 'b c'],
    due: '2030-01-31',
    owner: { name: 'Ada' },
    extra: { deep: [1, 2] },
  });
});

test('what the API refuses in an answer is told at the form, which stays', async () => {
  const id = await it.api.create(
    'plan: 1\nname: refused\ntasks: { q: { input: { prompt: Age, form: { age: { type: integer } } } } }\n',
  );
  const page = await open(id);
  await page.route('**/answer', async (route) => {
    const body = JSON.stringify({ ...route.request().postDataJSON(), values: { age: 'old' } });
    await route.continue({ postData: body });
  });
  await card(page, 'q.1').getByLabel('age').fill('7');
  await card(page, 'q.1').getByRole('button', { name: 'Answer' }).click();
  await card(page, 'q.1')
    .getByRole('alert')
    .getByText(/values\.age/)
    .waitFor();
  expect(await card(page, 'q.1').getByLabel('age').inputValue()).toBe('7');
  expect(await it.api.state(id)).toBe('awaiting_input');
});

test('a failed task that holds its plan: each choice says what it does; “complete” may give outputs', async () => {
  const file = `plan: 1
name: decide
tasks:
  a: { run: "exit 4", on_failure: hold }
  b: { needs: a, run: "echo \${{ tasks.a.outputs.stdout }}" }
`;
  const id = await it.api.create(file);
  const page = await open(id);
  const asked = card(page, 'a.1');
  await asked.getByText('a failed: exit code 4').waitFor();
  for (const words of [/attempts anew/, /left out/, /taken as done/, /fails the plan/])
    expect(await asked.getByText(words).isVisible()).toBe(true);
  await asked.getByLabel('Outputs for “complete”').fill('{"stdout": "by hand"}');
  await option(page, 'a.1', 'complete').click();
  await page.getByText('Completed', { exact: true }).waitFor();
  expect((await task(id, 'b')).outputs.stdout).toBe('by hand');
});

test('by the keyboard alone: Tab to an option, Enter answers', async () => {
  const id = await planIn(it.api, 'awaiting_input');
  const page = await open(id);
  await option(page, 'a.1', 'approve').waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  for (let presses = 0; presses < 30 && (await focused()) !== 'approve'; presses++) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await outcome(page, 'a.1').getByText('Answered “approve” by local').waitFor();
});

test('why anything waits is told with who can end it; a review is approved and a held task released there', async () => {
  const id = await it.api.create('plan: 1\nname: held\nreview: required\ntasks: { a: { run: "true" } }\n');
  await it.api.put(`/api/plans/${id}/tasks/a/hold`, { comment: 'not before noon' });
  const page = await open(id);
  const attention = page.getByRole('region', { name: 'Attention' });
  await attention.getByText('A review: nothing starts before somebody approves it').waitFor();
  await attention.getByText('you can do that').waitFor();
  await attention.getByRole('button', { name: 'Approve' }).click();
  await attention.getByText('“not before noon”').waitFor();
  expect(await attention.getByText('A review').count()).toBe(0);
  expect(await violations(page)).toEqual([]);
  await attention.getByRole('button', { name: 'Release a' }).click();
  await page.getByText('Completed', { exact: true }).waitFor();
});

test('what waits for time says until when; what is paused is resumed there', async () => {
  const id = await planIn(it.api, 'stand_by');
  const page = await open(id);
  const attention = page.getByRole('region', { name: 'Attention' });
  await attention.getByText('The wait of a').waitFor();
  await attention.getByText(/^in 1 h 59 min/).waitFor();
  await attention.getByText('goes on by itself').waitFor();
  await it.api.put(`/api/plans/${id}/pause`);
  await attention.getByText('Paused: it goes on when somebody resumes it').waitFor();
  await attention.getByRole('button', { name: 'Resume' }).click();
  await expect.poll(() => it.api.state(id)).toBe('stand_by');
});

test('what turns the direction of letters is seen in names, prompts, options and in the list', async () => {
  const turned = JSON.stringify('\u202eyes').replace('\u202e', '\\u202e');
  const id = await it.api.create(
    `{plan: 1, name: "bidi\\u2066name", tasks: {a: {approve: {prompt: "Really\\u200f?", options: [${turned}, "no"]}}}}`,
  );
  const page = await open(id);
  await card(page, 'a.1').getByText('Really⟨U+200F⟩?').waitFor();
  await page.getByRole('heading', { name: 'bidi⟨U+2066⟩name' }).waitFor();
  const list = await openPage(it);
  await list.getByRole('link', { name: 'bidi⟨U+2066⟩name' }).waitFor();
  await option(page, 'a.1', '⟨U+202E⟩yes').click();
  await outcome(page, 'a.1').getByText('Answered “⟨U+202E⟩yes” by local').waitFor();
  expect((await task(id, 'a')).answer.choice).toBe('\u202eyes');
});

const MANY = `plan: 1
name: many
tasks: { each: { map: { in: [${Array.from({ length: 45 }, (_, n) => n).join(', ')}], max_parallel: 45, task: { approve: "Item \${{ item }}?" } } } }
`;

test.each([1280, 360])('every one of many questions can be reached, and the tabs stay near (%i px)', async (width) => {
  const id = await it.api.create(MANY);
  await expect.poll(async () => (await it.api.get(`/api/plans/${id}`)).json.questions.length).toBe(45);
  const page = await openPage(it, `plans/${id}`, { viewport: { width, height: 740 } });
  const cards = page.getByRole('article', { name: /^Question / });
  const first = width === 360 ? 1 : 3;
  await page.getByText(`${first} of 45 questions`).waitFor();
  expect(await cards.count()).toBe(first);
  const tabs = await page.getByRole('tablist').boundingBox();
  expect(tabs!.y).toBeLessThan(2 * 740);
  await cards.first().getByLabel('Comment').fill('half a thought');
  await page.getByRole('button', { name: 'Show 20 more' }).click();
  await page.getByText(`${first + 20} of 45 questions`).waitFor();
  expect(await cards.count()).toBe(first + 20);
  await page.getByRole('button', { name: 'Show 20 more' }).click();
  await page.getByRole('button', { name: `Show ${45 - first - 40} more` }).click();
  await page.getByText('45 of 45 questions').waitFor();
  const last = cards.nth(44);
  await last.getByLabel('Comment').fill('the last');
  expect(await violations(page)).toEqual([]);
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  await page.getByRole('button', { name: 'Show fewer' }).click();
  expect(await cards.count()).toBe(first);
  for (let presses = 0; presses < 3; presses++) await page.getByRole('button', { name: /^Show \d+ more$/ }).click();
  expect(await last.getByLabel('Comment').inputValue()).toBe('the last');
  await last.getByRole('button', { name: 'approve', exact: true }).click();
  await last.getByRole('status').getByText('Answered “approve” by local: the last').waitFor();
});
