import type { Connection } from '@temporalio/client';
import { Client } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import proto from '@temporalio/proto';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { SEARCH_ATTRIBUTES } from '../../src/contract/search-attributes.ts';
import { connectClient, connectWorker } from '../../src/temporal/connection.ts';
import { startEmbeddedServer } from '../../src/temporal/embedded-server.ts';
import { prepareNamespace } from '../../src/temporal/namespace.ts';
import { obtainTemporal } from '../../src/temporal/obtain-temporal.ts';
import { atEnd, temporaryHome } from './home.ts';

beforeAll(async () => {
  await obtainTemporal(loadConfig());
}, 15 * 60_000);

const DAY_S = 24 * 60 * 60;
const { IndexedValueType } = proto.temporal.api.enums.v1;
const INT = IndexedValueType.INDEXED_VALUE_TYPE_INT;
const TYPES = {
  Keyword: IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD,
  KeywordList: IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD_LIST,
  Datetime: IndexedValueType.INDEXED_VALUE_TYPE_DATETIME,
};

async function connected(): Promise<Connection> {
  const server = await startEmbeddedServer(temporaryHome());
  const connection = await connectClient(server);
  atEnd(() => connection.close());
  return connection;
}

/** A namespace such as another cluster may have: one day of retention, no search attributes. */
async function foreignNamespace(connection: Connection, days: number): Promise<string> {
  const workflowExecutionRetentionPeriod = proto.google.protobuf.Duration.fromObject({ seconds: days * DAY_S });
  await connection.workflowService.registerNamespace({ namespace: 'foreign', workflowExecutionRetentionPeriod });
  const isThere = () => connection.operatorService.listSearchAttributes({ namespace: 'foreign' });
  await expect
    .poll(
      () =>
        isThere().then(
          () => true,
          () => false,
        ),
      { timeout: 20_000 },
    )
    .toBe(true);
  return 'foreign';
}

async function startPlan(connection: Connection, namespace: string, state: string): Promise<void> {
  const key = defineSearchAttributeKey(SEARCH_ATTRIBUTES.state.name, 'KEYWORD');
  await new Client({ connection, namespace }).workflow.start('plan', {
    taskQueue: 'nobody',
    workflowId: `plan-${state}`,
    typedSearchAttributes: [{ key, value: state }],
  });
}

describe('the embedded server', () => {
  test('keeps ended plans for ten years, whatever it was started with', async () => {
    const connection = await connected();
    const ask = { embedded: true, namespace: 'default' };
    expect(await prepareNamespace(connection, ask)).toEqual({ retentionDays: 3650, warnings: [] });
    const { config } = await connection.workflowService.describeNamespace({ namespace: 'default' });
    expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).toBe(3650 * DAY_S);
    expect(await prepareNamespace(connection, ask)).toEqual({ retentionDays: 3650, warnings: [] });
  });

  test('has the search attributes from the start: plans can be started and found by them at once', async () => {
    const connection = await connected();
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace: 'default' });
    expect(customAttributes).toMatchObject(
      Object.fromEntries(Object.values(SEARCH_ATTRIBUTES).map(({ name, type }) => [name, TYPES[type]])),
    );
    await startPlan(connection, 'default', 'paused');
    const found = () =>
      connection.workflowService.countWorkflowExecutions({
        namespace: 'default',
        query: `${SEARCH_ATTRIBUTES.state.name} = 'paused'`,
      });
    await expect.poll(async () => Number((await found()).count)).toBe(1);
  });
});

describe('another cluster', () => {
  test('that keeps ended plans for a day gets a warning that says what this means and what to run', async () => {
    const connection = await connected();
    const namespace = await foreignNamespace(connection, 1);
    const { retentionDays, warnings } = await prepareNamespace(connection, { embedded: false, namespace });
    expect(retentionDays).toBe(1);
    expect(warnings).toEqual([
      expect.stringMatching(/1 days after they ended; resume, .*--namespace foreign --retention 3650d$/),
    ]);
  });

  test('gets the search attributes that are missing, and plans can be started with them when we return', async () => {
    const connection = await connected();
    const namespace = await foreignNamespace(connection, 30);
    expect(await prepareNamespace(connection, { embedded: false, namespace })).toEqual({
      retentionDays: 30,
      warnings: [],
    });
    await startPlan(connection, namespace, 'executing');
  });

  test('that refuses a search attribute gets a warning that names it and what to run', async () => {
    const connection = await connected();
    const namespace = await foreignNamespace(connection, 30);
    await connection.operatorService.addSearchAttributes({ namespace, searchAttributes: { HoldpointOrg: INT } });
    const isThere = async () =>
      (await connection.operatorService.listSearchAttributes({ namespace })).customAttributes?.HoldpointOrg;
    await expect.poll(isThere, { timeout: 20_000 }).toBe(INT);
    const { warnings } = await prepareNamespace(connection, { embedded: false, namespace });
    expect(warnings).toContainEqual(
      expect.stringMatching(
        /HoldpointOrg is not registered as Keyword.*create --namespace foreign --name HoldpointOrg --type Keyword$/,
      ),
    );
  });

  test('without the namespace is a fault that names it', async () => {
    const connection = await connected();
    await expect(prepareNamespace(connection, { embedded: false, namespace: 'nowhere' })).rejects.toMatchObject({
      code: 'ENGINE_UNAVAILABLE',
      message: expect.stringContaining('nowhere'),
    });
  });
});

test.each([
  ['a client', () => connectClient({ address: '127.0.0.1:2' }, 1000)],
  ['a worker', () => connectWorker({ address: '127.0.0.1:2' })],
])('%s that reaches nobody gets a fault that names the address', async (_, connect) => {
  await expect(connect()).rejects.toMatchObject({
    code: 'ENGINE_UNAVAILABLE',
    message: expect.stringContaining('127.0.0.1:2 cannot be reached: '),
  });
});
