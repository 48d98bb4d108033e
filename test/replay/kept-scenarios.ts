import { join } from 'node:path';
import { catalogId, EXECUTE_SIGNALS, executeId, LEDGER_LIMITS_SET, ledgerId } from '../../src/contract/names.ts';
import { readCatalog } from '../../src/program/catalog.ts';
import { promptHash } from '../../src/program/prompt-hash.ts';
import { EXECUTION } from '../../src/service/execute/parts.ts';
import { type SessionKey, type Sessions, sessionsOf } from '../../src/service/execute/session.ts';
import { ledgerEntries } from '../../src/service/ledger/entries.ts';
import { until } from '../support/world.ts';
import { ADA, type Driven, type Scenario } from './scenarios.ts';

/**
 * What is kept in workflows that are no plans: sessions of programs, catalogs, and what models cost. A plan is recorded beside, as
 * every scenario has one.
 */
const BESIDE = 'plan: 1\nname: beside\ntasks:\n  a: { set: { x: 1 } }\n';

const keyOf = (session: string): SessionKey => ({ org_id: 'local', prompt_hash: 'recorded', surface: 'http', session });
const idOf = ({ org_id, prompt_hash, surface, session }: SessionKey): string =>
  executeId(org_id, prompt_hash, surface, session);
/** Nobody uses it for so long, and it ends. */
const TTL_MS = 6_000;

const operation = (n: number): Parameters<Sessions['accept']>[1] => ({
  request_id: `request-${n}`,
  plan_id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
  commit_id: `commit-${n}`,
  verdict: 'review',
  program: 'Pokemon.filter{base_experience >= 300}',
});
const commit = (n: number): Parameters<Sessions['commit']>[1] => ({
  commit_id: `commit-${n}`,
  verdict: 'review',
  expensive: true,
});
const page = (n: number) => ({ key: `page-${n}`, place: { kind: 'kept', offset: n } });

async function use(sessions: Sessions, key: SessionKey): Promise<void> {
  await sessions.commit(key, commit(1));
  await Promise.all([sessions.accept(key, operation(1)), sessions.accept(key, operation(2))]);
  await sessions.accept(key, operation(1));
  await sessions.commit(key, commit(1));
  await sessions.pages(key, [page(1), page(2)]);
  await sessions.find(key, { operation: 1, commit: 0, page: 3 });
}

async function closed({ world }: Driven, id: string): Promise<void> {
  const handle = world.client.workflow.getHandle(id);
  await until(`${id} has closed`, async () => (await handle.describe()).status.name !== 'RUNNING', 60_000);
}

/** So many signals that its history is full, while no worker is there: they are one workflow task. */
async function fill({ world }: Driven, id: string, signal: string, args: unknown[] = []): Promise<void> {
  const handle = world.client.workflow.getHandle(id);
  const { runId } = await handle.describe();
  await world.stopWorker();
  for (let sent = 0; sent < 2_500; sent += 100)
    await Promise.all(Array.from({ length: 100 }, () => handle.signal(signal, ...args)));
  await world.startWorker();
  await until('it is handed over', async () => (await handle.describe()).runId !== runId, 60_000);
}

const CATALOG = `
catalog: 1
name: pokedex
entities:
  Pokemon:
    fields: { id: integer }
    list: { http: { url: "https://example.org/pokemon" }, items: body.items }
`;
const CATALOG_HASH = promptHash(readCatalog(CATALOG));

const ledgerOf = ({ world }: Driven) => ledgerEntries(world.client, join(world.home, 'untold'))('local');
const scopes = { plan: '00000000-0000-4000-8000-000000000001', chat: 'chat' };

async function spend(plan: Driven, from: number): Promise<void> {
  const ledger = ledgerOf(plan);
  for (const n of [from, from + 1, from + 2]) {
    const { granted } = await ledger.reserve({ id: `call-${n}`, tokens: 400, cost: 0, scopes });
    if (granted)
      await ledger.settle({ id: `call-${n}`, tokens: 350, input_tokens: 300, output_tokens: 50, cost: 0, scopes });
  }
  await until('all is told', async () => (await plan.world.service.limits(ADA, {})) !== undefined);
}

export const KEPT_SCENARIOS: Record<string, Scenario> = {
  'execute-session': {
    plan: BESIDE,
    beside: idOf(keyOf('one')),
    async script(plan) {
      const sessions = sessionsOf(plan.world.client, { ...EXECUTION, sessionTtlMs: TTL_MS });
      await use(sessions, keyOf('one'));
      sessions.touch(keyOf('one'));
      await closed(plan, idOf(keyOf('one')));
    },
  },
  'execute-session-handed-over': {
    plan: BESIDE,
    beside: idOf(keyOf('full')),
    async script(plan) {
      const sessions = sessionsOf(plan.world.client, { ...EXECUTION, sessionTtlMs: 5 * TTL_MS });
      await use(sessions, keyOf('full'));
      await fill(plan, idOf(keyOf('full')), EXECUTE_SIGNALS.touch);
      await sessions.accept(keyOf('full'), operation(3));
      await sessions.accept(keyOf('full'), operation(1));
      await closed(plan, idOf(keyOf('full')));
    },
  },
  catalog: {
    plan: BESIDE,
    beside: catalogId('local', CATALOG_HASH),
    async script({ world, is }) {
      const { execute } = world.service;
      await execute.registerCatalog(ADA, CATALOG);
      await execute.registerCatalog(ADA, CATALOG);
      await execute.catalog(ADA, CATALOG_HASH);
      await is('completed');
    },
  },
  ledger: {
    plan: BESIDE,
    beside: ledgerId('local'),
    async script(plan) {
      const { service } = plan.world;
      await service.setLimits(ADA, { maxTokensPerDay: 1_000 });
      await spend(plan, 1);
      await service.setBudget(ADA, plan.id, { max_tokens: 5_000 });
      await service.setLimits(ADA, { maxTokensPerDay: null });
      await spend(plan, 4);
      await plan.is('completed');
    },
  },
  'ledger-handed-over': {
    plan: BESIDE,
    beside: ledgerId('local'),
    async script(plan) {
      await spend(plan, 11);
      await fill(plan, ledgerId('local'), LEDGER_LIMITS_SET, [{ schema_version: 1, limits: {} }]);
      await spend(plan, 14);
    },
  },
};
