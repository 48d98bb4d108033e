import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newHome } from '../support/engine.ts';
import { ROOT } from './run-example.ts';

let model: ChildProcess;
let home: ReturnType<typeof newHome>;
beforeAll(async () => {
  model = spawn(process.execPath, [join(ROOT, 'examples/agents/model.js')], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(model.stdout!, 'data')) as [Buffer];
  const [, url = ''] = line.toString().trim().split('=');
  home = newHome({ HOLDPOINT_LLM_BASE_URL: url, HOLDPOINT_LLM_MODEL: 'example', HOLDPOINT_LLM_API_KEY: 'any' });
  await home.up();
}, 900_000);
afterAll(async () => {
  await home.end();
  model.kill();
});

test('agents/model.js: agents build, and answer a question about it', async () => {
  const built = await home.cli('chat', 'shop', 'Build a shop for tea, full');
  expect(built.code, built.all).toBe(0);
  const agents = ['classify', 'research', 'architect', 'frontend-dev', 'backend-dev', 'styling', 'qa', 'summary'];
  for (const agent of agents) expect(built.out).toMatch(new RegExp(`^${agent} +completed`, 'm'));
  expect(built.out).toContain('This is what I would do. (You tell the people');
  const answered = await home.cli('chat', 'shop', 'A question: how do I try it?', '--json');
  expect(answered.code, answered.all).toBe(0);
  const told = JSON.parse(answered.out);
  expect(told).toMatchObject({ status: 'completed', planned_agents: ['answer'] });
  expect(told.messages.map(({ role }: { role: string }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
  const shown = await home.cli('chat', 'nobody');
  expect(shown.out).toContain('nothing was asked in this chat yet');
});

test('agents/model.js: a limit interrupts, is told with the command that raises it, and what was done is kept', async () => {
  expect((await home.cli('limits', '--max-tokens-per-chat', '8000')).code).toBe(0);
  const held = await home.cli('chat', 'till', 'Build a till, full');
  expect(held.code, held.all).toBe(5);
  expect(held.out).toMatch(/^research +completed/m);
  const raise = /^ {2}\S* ?holdpoint (limits --max-tokens-per-chat \d+)$/m.exec(held.out)?.[1];
  const refused = await home.cli('chat', 'till', '--resume');
  expect([refused.code, refused.all]).toEqual([5, expect.stringContaining(`holdpoint ${raise}`)]);
  expect((await home.cli('limits', '--max-tokens-per-chat', 'none')).code).toBe(0);
  const done = await home.cli('chat', 'till', '--resume');
  expect(done.code, done.all).toBe(0);
  expect(done.out).toMatch(/^summary +completed/m);
  expect(done.out).not.toMatch(/^research +running/m);
});
