// A plan of a thousand tasks in a browser: how soon its graph can be clicked, and whether it takes clicks while events come.
import { createReadStream, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createGzip } from 'node:zlib';
import { chromium } from 'playwright-core';
import { benchHome, call, create, median, spread } from './engine.js';

const WIDE = 20;
const TASKS = Number(process.env.TASKS ?? 1_000);
const VISITS = 5;
const CLICKS = Number(process.env.CLICKS ?? 40);
const CONSOLE = fileURLToPath(new URL('../dist/console', import.meta.url));

const bench = benchHome();
const engine = await bench.up();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
});

try {
  console.log(`first load, compressed: ${await firstLoad()}`);
  const small = await create(engine.url, 'plan: 1\nname: small\ntasks: { w: { wait: 1h } }\n');
  const least = [];
  for (let i = 0; i < VISITS; i++) least.push(await visit(small));
  console.log(`a plan of one task, until its graph takes a click: ${spread(least)}`);
  // Nothing runs meanwhile: what is measured is the page.
  const quiet = await create(engine.url, layers({ review: true }));
  const ready = [];
  for (let i = 0; i < VISITS; i++) ready.push(await visit(quiet));
  console.log(`a plan of ${TASKS} tasks, until its graph takes a click: ${spread(ready)}`);
  await underEvents();
} finally {
  await browser.close();
  await engine.kill('SIGTERM');
  bench.remove();
}

/** Layers of tasks that each need two of the layer before. */
function layers({ review }) {
  const tasks = Array.from({ length: TASKS }, (_, n) => {
    const [layer, at] = [Math.floor(n / WIDE), n % WIDE];
    const above = (k) => `t${(layer - 1) * WIDE + (k % WIDE)}`;
    const needs = layer === 0 ? '' : `needs: [${above(at)}, ${above(at + 7)}], `;
    return `  t${n}: { ${needs}${n % 2 === 0 ? 'run: "true"' : 'set: { done: true }'} }`;
  });
  return `plan: 1\nname: thousand\nmax_parallel: 40\n${review ? 'review: required\n' : ''}tasks:\n${tasks.join('\n')}\n`;
}

/** Opens the plan's page in a new browser; until a click on a node has opened its task. */
async function visit(id) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const began = performance.now();
  await page.goto(`${engine.url}/console/plans/${id}`, { waitUntil: 'commit' });
  await page.locator('.task-open').first().click();
  await page.getByRole('complementary').first().waitFor();
  const took = performance.now() - began;
  await context.close();
  return took;
}

/** While the plan runs as fast as it can, nodes are clicked by their place, as a person does: a click that is lost opens nothing. */
async function underEvents() {
  const id = await create(engine.url, layers({ review: true }));
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${engine.url}/console/plans/${id}`);
  await page.locator('.task-open').first().waitFor();
  await page.evaluate(() => {
    globalThis.blocks = [];
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) globalThis.blocks.push(duration);
    }).observe({ type: 'longtask' });
  });
  const seq = async () => (await call(engine.url, 'GET', `/api/plans/${id}`)).json.seq;
  await call(engine.url, 'PUT', `/api/plans/${id}/approve`);
  const [from, began] = [await seq(), performance.now()];
  let opened = 0;
  const waits = [];
  for (let i = 0; i < CLICKS; i++) {
    const target = await nodeInView(page, i);
    const clicked = performance.now();
    await page.mouse.click(target.x, target.y);
    const isOpen = await page
      .getByRole('complementary', { name: `Task ${target.id}`, exact: true })
      .waitFor({ timeout: 2_000 })
      .then(
        () => true,
        () => false,
      );
    if (isOpen) opened += 1;
    if (isOpen) waits.push(performance.now() - clicked);
    await delay(50);
  }
  const [to, seconds] = [await seq(), (performance.now() - began) / 1_000];
  const blocks = await page.evaluate(() => globalThis.blocks);
  console.log(
    `events while it was clicked: ${((to - from) / seconds).toFixed(0)} a second, for ${seconds.toFixed(0)} s`,
  );
  console.log(
    `clicks that opened their task: ${opened} of ${CLICKS}${waits.length > 0 ? `, in ${spread(waits)}` : ''}`,
  );
  const [longest, usual] = [Math.max(0, ...blocks).toFixed(0), blocks.length > 0 ? median(blocks).toFixed(0) : 0];
  console.log(
    `main thread blocked for more than 50 ms: ${blocks.length} times, ${longest} ms at the longest, ${usual} ms in the middle`,
  );
}

/** One of the nodes that can be clicked, and is not the one that is open. */
async function nodeInView(page, n) {
  return await page.evaluate((which) => {
    const nodes = [...document.querySelectorAll('.task-node:not([data-selected])')].flatMap((node) => {
      const { left, top, width, height } = node.getBoundingClientRect();
      const [x, y] = [left + width / 3, top + height / 2];
      return document.elementFromPoint(x, y)?.closest('.task-node') === node ? [{ id: node.dataset.task, x, y }] : [];
    });
    return nodes[(which * 3) % nodes.length];
  }, n);
}

/** All that a new browser loads for the list, and another one for a plan's page. */
async function firstLoad() {
  const id = await create(engine.url, 'plan: 1\nname: small\ntasks: { w: { wait: 1h } }\n');
  const list = await loadedBy('/console/', (page) => page.getByRole('link', { name: 'small' }));
  const plan = await loadedBy(`/console/plans/${id}`, (page) => page.locator('.task-open'));
  return `${list} for the list, ${plan} for a plan's page with its graph`;
}

async function loadedBy(path, shows) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const loaded = new Set();
  page.on('response', (response) => loaded.add(new URL(response.url()).pathname.split('/').at(-1)));
  await page.goto(engine.url + path);
  await shows(page).first().waitFor();
  await page.waitForLoadState('networkidle').catch(() => {});
  await context.close();
  const files = readdirSync(CONSOLE, { recursive: true }).filter((file) => loaded.has(file.split('/').at(-1)));
  const all = await Promise.all(files.map((file) => compressed(join(CONSOLE, file))));
  return `${(all.reduce((sum, size) => sum + size, 0) / 1_000).toFixed(0)} kB in ${files.length} files`;
}

async function compressed(path) {
  let size = 0;
  for await (const chunk of createReadStream(path).pipe(createGzip())) size += chunk.length;
  return size;
}
