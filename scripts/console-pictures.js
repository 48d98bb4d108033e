// Takes the pictures of docs/console.md: every page, wide and narrow, light and dark, of plans that really run.
import { mkdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { benchHome, call, create } from '../bench/engine.js';
import { picturesModel } from './pictures-model.js';
import { picturesSource } from './pictures-source.js';

const OUT = fileURLToPath(new URL('../docs/images/console/', import.meta.url));

const RELEASE = `plan: 1
name: release 4.2
labels: { team: web }
max_parallel: 4
tasks:
  checkout: { run: "echo fetching; sleep 1" }
  lint: { needs: [checkout], run: "echo no problems" }
  test: { needs: [checkout], run: 'for i in 1 2 3 4; do printf "\\033[32mpass\\033[0m suite $i\\n"; sleep 1; done; printf "\\033[31mfail\\033[0m suite 5: 3 of 120\\n"; exit 3', retry: { max_attempts: 2, delay: 2s }, on_failure: hold }
  build: { needs: [lint], run: "echo compiling; sleep 2; echo done" }
  regions: { needs: [build], map: { in: "['eu', 'us', 'ap']", as: region, max_parallel: 2, task: { run: "sleep 1; echo \${{ region }}" } } }
  docs: { needs: [lint], run: "echo writing pages; sleep 600" }
  ship: { needs: [test, regions], approve: { prompt: "Ship 4.2 to everybody?", options: [ship, wait], timeout: 2d, on_timeout: hold } }
  deploy: { needs: [ship], run: "echo deploying" }
  announce: { needs: [deploy], run: "echo told" }
`;
const BACKUP = 'plan: 1\nname: nightly backup\ntasks:\n  wait: { wait: 1h }\n  dump: { needs: [wait], run: "true" }\n';
const FAILS =
  'plan: 1\nname: import of customers\ntasks:\n  fetch: { run: "echo 120 rows" }\n  check: { needs: [fetch], run: "echo row 7: no name >&2; exit 4" }\n  store: { needs: [check], run: "true" }\n';
const GATE =
  'plan: 1\nname: price change\ntasks:\n  ask: { input: { prompt: "From when on?", form: { day: { type: string, format: date }, percent: { type: number, minimum: 0 } } } }\n';
const DONE = 'plan: 1\nname: report\ntasks:\n  count: { set: { rows: 12 } }\n';

const PICTURES = [
  ['list', '', {}],
  ['list-dark', '', { dark: true }],
  ['list-narrow', '', { width: 380 }],
  ['plan', 'plans/RELEASE', { height: 1150 }],
  ['plan-dark', 'plans/RELEASE?task=build', { dark: true, height: 1150 }],
  ['plan-narrow', 'plans/RELEASE', { width: 380 }],
  ['plan-wide', 'plans/RELEASE?task=test', { width: 2200, height: 1200 }],
  ['tasks', 'plans/RELEASE?view=table', { height: 1150 }],
  ['timeline', 'plans/RELEASE?view=timeline', { height: 1150 }],
  ['events-dark', 'plans/BACKUP?view=events', { dark: true }],
  ['logs', 'plans/RELEASE?view=logs&task=test', { height: 1150 }],
  ['plan-file', 'plans/FAILS?view=file', {}],
  ['failed', 'plans/FAILS', {}],
  ['question', 'plans/GATE', {}],
  ['new-plan', 'new', { height: 1000, drop: RELEASE }],
  ['new-plan-dark-narrow', 'new', { dark: true, width: 380, drop: RELEASE }],
  ['chats', 'chats', { chats: ['tea-shop', 'booking', 'newsletter'] }],
  ['chat', 'chats/tea-shop', { height: 1000 }],
  ['chat-at-work', 'chats/booking', { height: 1000 }],
  ['chat-at-work-narrow', 'chats/booking', { width: 380 }],
  ['chat-limit', 'chats/newsletter', { height: 1000, press: 'Increase limit & resume' }],
  ['programs', 'programs', { programs: true }],
  [
    'session',
    'programs/HASH/console',
    { programs: true, height: 1000, dry: 'strong = Pokemon.filter{base_experience >= 300}' },
  ],
  ['session-dark-narrow', 'programs/HASH/console', { programs: true, dark: true, width: 380 }],
  ['operation', 'programs/HASH/console/s0_o1', { programs: true }],
  ['operation-dark', 'programs/HASH/console/s0_o2', { programs: true, dark: true }],
  ['chat-limit-dark-narrow', 'chats/newsletter', { dark: true, width: 380, press: 'Increase limit & resume' }],
];
/** Names of pictures may be given: only those are taken. */
const wanted = PICTURES.filter(([name]) => process.argv.length < 3 || process.argv.slice(2).includes(name));

const model = await picturesModel();
Object.assign(process.env, { HOLDPOINT_LLM_BASE_URL: model.url, HOLDPOINT_LLM_MODEL: 'picture' });
const source = await picturesSource();
process.env.HOLDPOINT_ALLOW_PRIVATE_HOSTS = new URL(source.url).host;
const bench = benchHome();
const engine = await bench.up();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
});
try {
  mkdirSync(OUT, { recursive: true });
  if (wanted.some(([, path]) => path.startsWith('chats'))) await startChats();
  const plans = wanted.some(([, path]) => /RELEASE|BACKUP|FAILS|GATE/.test(path) || path === '')
    ? await startPlans()
    : {};
  if (wanted.some(([, , { programs }]) => programs)) plans.HASH = await startPrograms();
  for (const [name, path, look] of wanted)
    await picture(
      name,
      path.replace(/RELEASE|BACKUP|FAILS|GATE|HASH/, (it) => plans[it]),
      look,
    );
} finally {
  await browser.close();
  await engine.kill('SIGTERM');
  bench.remove();
  model.stop();
  source.stop();
}

/** One that is answered, one at work, one that a limit holds. */
async function startChats() {
  const say = (chatId, content) => call(engine.url, 'POST', '/messages/send', { chatId, content });
  const status = async (chatId) => (await call(engine.url, 'GET', `/agents/status?chatId=${chatId}`)).json;
  await say('tea-shop', 'The buttons are too small to be hit on a phone');
  await say('booking', 'Build a booking page for our tea room');
  while ((await status('tea-shop')).status !== 'completed') await delay(200);
  while ((await status('booking')).tokens < 19_000) await delay(200);
  await call(engine.url, 'PUT', '/settings/limits', { maxTokensPerChat: 30_000 });
  await say('newsletter', 'Build a newsletter that people can sign up for');
  while ((await status('newsletter')).status !== 'interrupted') await delay(200);
}

/** One that has ended, one that was cancelled, one that has failed, and one that runs. */
async function startPrograms() {
  const { json } = await call(engine.url, 'POST', '/catalogs', source.catalog);
  const hash = json.prompt_hash;
  const run = async (program) =>
    await fetch(`${engine.url}/execute/${hash}/console`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ program, wait: false, force: true }),
    });
  const operation = async (handle) =>
    (await call(engine.url, 'GET', `/execute/${hash}/console/operations/${handle}`)).json;
  await run('Pokemon.filter{base_experience >= 300}');
  await run('SlowPokemon[id, name, types]');
  while (((await operation('s0_o2')).op.r ?? 0) < 100) await delay(200);
  // It answers as Markdown.
  await fetch(`${engine.url}/execute/${hash}/console/operations/s0_o2/cancel`, { method: 'POST' });
  await run('Missing[id]');
  await run('few = Pokemon.limit(3)[id, name]\nall = SlowPokemon[id, name]\nreturn few, all');
  while (((await operation('s0_o4')).op.r ?? 0) < 1) await delay(200);
  return hash;
}

async function startPlans() {
  const made = {};
  for (const [name, plan] of Object.entries({ DONE, FAILS, BACKUP, GATE, RELEASE }))
    made[name] = await create(engine.url, plan);
  const stopped = await create(engine.url, BACKUP.replace('nightly backup', 'old import'));
  await delay(1_000);
  await call(engine.url, 'PUT', `/api/plans/${stopped}/stop`);
  for (const command of ['pause', 'resume', 'pause'])
    await call(engine.url, 'PUT', `/api/plans/${made.BACKUP}/${command}`);
  // Until the tests have failed twice, and the docs are all that runs.
  for (;;) {
    const { json } = await call(engine.url, 'GET', `/api/plans/${made.RELEASE}`);
    if (json.questions.length > 0 && json.current_tasks.length === 1) return made;
    await delay(500);
  }
}

async function picture(name, path, { width = 1280, height = 800, dark = false, drop, press, dry, chats = [] }) {
  const colorScheme = dark ? 'dark' : 'light';
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme,
    locale: 'en-GB',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  // The list is of what this browser has looked at.
  for (const chat of chats) {
    await page.goto(`${engine.url}/console/chats/${chat}`);
    await page.locator('.chat-head').waitFor();
  }
  await page.goto(`${engine.url}/console/${path}`, { waitUntil: 'networkidle' }).catch(() => {});
  if (drop)
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'release.yaml', mimeType: 'text/plain', buffer: Buffer.from(drop) });
  if (dry) {
    await page.getByRole('textbox', { name: 'Program' }).fill(dry);
    await page.getByRole('button', { name: 'Dry run', exact: true }).click();
  }
  if (press) await page.getByRole('button', { name: press, exact: true }).click();
  await delay(3_000);
  await page.screenshot({ path: `${OUT}${name}.png` });
  await context.close();
  console.log(name);
}
