import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Client } from '@temporalio/client';
import { expect, onTestFinished, test } from 'vitest';
import { fileStores } from '../../src/activities/stores.ts';
import { asFault, FAULTS } from '../../src/faults.ts';
import { createService, type PlanService } from '../../src/service/service.ts';
import { connectClient } from '../../src/temporal/connection.ts';
import { caller, tempDir, temporalAddress } from '../support/world.ts';

const PLAN = 'plan: 1\nname: gate\ntasks:\n  ok: { approve: "Go on?" }\n';
const create = (service: PlanService) => service.create(caller, { plan: PLAN, place: { env: {} } });

/** A Temporal that can be frozen: it keeps its connections, and nothing comes through any more. */
async function freezable() {
  const [host, port] = temporalAddress().split(':') as [string, string];
  const sockets: Socket[] = [];
  const server = createServer((here) => {
    const there = connect(Number(port), host);
    sockets.push(here, there);
    here.pipe(there).pipe(here);
    for (const socket of [here, there]) socket.on('error', () => {});
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const connection = await connectClient({ address: `127.0.0.1:${(server.address() as AddressInfo).port}` });
  onTestFinished(async () => {
    await connection.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    service: createService(new Client({ connection }), fileStores(tempDir('frozen'))),
    freeze() {
      for (const socket of sockets) socket.unpipe().pause();
    },
  };
}

test('a Temporal that is there and does not answer: every call ends, and may be tried again', async () => {
  const { service, freeze } = await freezable();
  const { plan_id } = await create(service);
  freeze();
  const calls: Record<string, () => Promise<unknown>> = {
    create: () => create(service),
    read: () => service.read(caller, plan_id),
    list: () => service.list(caller),
    command: () => service.command(caller, plan_id, 'pause'),
    outcome: () => service.outcome(caller, plan_id, 'r'),
    timeline: () => service.timeline(caller, plan_id, { after: 0 }),
    follow: () => service.follow(caller, plan_id, undefined),
    nextRun: () => service.nextRun(caller, plan_id, { mode: 'retry' }),
    logs: () => service.logs(caller, plan_id),
    artifacts: () => service.artifacts(caller, plan_id),
  };
  const ended = await Promise.all(
    Object.entries(calls).map(async ([name, call]) => [
      name,
      await call().then(
        () => 'done',
        (e) => asFault(e).code,
      ),
    ]),
  );
  expect(ended).toEqual(Object.keys(calls).map((name) => [name, 'ENGINE_UNAVAILABLE']));
  expect(FAULTS.ENGINE_UNAVAILABLE).toMatchObject({ http: 503, retryable: true });
});
