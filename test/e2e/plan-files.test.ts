import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { newHome } from '../support/engine.ts';
import { tempDir, until, witness } from '../support/world.ts';

const key = (org: string, ...permissions: string[]) => ({
  key: `${org}-key`,
  id: org,
  name: org,
  org_id: org,
  permissions,
});

/** As many tasks as there may be, each of which needs many. */
const LARGE = `plan: 1\nname: large\ntasks:\n${Array.from({ length: 10_000 }, (_, i) => {
  const needs = Array.from({ length: Math.min(i, 15) }, (_, k) => `task-${Math.max(0, i - 15) + k}`);
  return `  task-${i}: { run: "true", needs: [${needs.join(', ')}] }\n`;
}).join('')}`;
const FILES = [
  LARGE,
  `plan: 1\nname: x\n${'a: 1\n'.repeat(380_000)}`,
  `plan: 1\nname: x\n${'a: 1\n'.repeat(100_000)}`,
  `plan: 1\nname: x\ntasks: { a: { set: { x: [${'1,'.repeat(1_000_000)}1] } } }`,
  LARGE,
];

test('plan files made to hurt hold up neither other requests nor the tasks of others', async () => {
  const keys = join(tempDir('keys'), 'keys.json');
  const evil = key('evil', 'plan:create');
  const good = key('good', 'plan:create', 'plan:read', 'plan:run_commands');
  writeFileSync(keys, JSON.stringify([evil, good]), { mode: 0o600 });
  const home = newHome({ HOLDPOINT_API_KEYS: keys });
  onTestFinished(() => home.end());
  const { url } = await home.up();

  /** `taken`: the engine has the whole request; `answer`: it has answered. */
  function post(path: string, org: string, body: string) {
    const headers = { authorization: `Bearer ${org}-key`, 'content-type': 'application/yaml' };
    const sent = request(url + path, { method: 'POST', headers, agent: false });
    const taken = once(sent, 'finish');
    const answer = once(sent, 'response').then(async ([response]: IncomingMessage[]) => ({
      status: response!.statusCode,
      json: JSON.parse(await text(response!)),
    }));
    sent.end(body);
    return { taken, answer };
  }

  const { mark, n, path } = witness();
  const slow = `plan: 1\nname: slow\ntasks:\n  a: { run: '${mark('a')}; until [ -e ${path('go')} ]; do sleep 0.1; done' }\n`;
  const { json: plan } = await post('/api/plans', 'good', slow).answer;
  await until('the task runs', () => n('a') === 1);

  const ended: string[] = [];
  const hurting = FILES.map((file) => post('/api/plans/validate', 'evil', file));
  const all = Promise.all(hurting.map(({ answer }) => answer.finally(() => ended.push('validate'))));
  await Promise.all(hurting.map(({ taken }) => taken));
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  ended.push('healthz');
  const small = await post('/api/plans/validate', 'good', 'plan: 1\nname: x\ntasks: { a: { run: x } }\n').answer;
  ended.push('small');
  expect(small.status).toBe(200);

  expect((await all).map(({ status, json }) => json.code ?? status)).toEqual([
    200,
    'PLAN_INVALID',
    'PLAN_INVALID',
    'PLAN_INVALID',
    200,
  ]);
  expect(ended[0]).toBe('healthz');
  // Who has sent many waits for their own.
  expect(ended.at(-1)).toBe('validate');
  writeFileSync(path('go'), '');
  const status = async () =>
    (
      (await (
        await fetch(`${url}/api/plans/${plan.plan_id}`, { headers: { authorization: 'Bearer good-key' } })
      ).json()) as { state: { status: string } }
    ).state.status;
  await until('the other plan is completed', async () => (await status()) === 'completed');
  expect(n('a')).toBe(1);
}, 240_000);
