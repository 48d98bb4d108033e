import { describe, expect, test } from 'vitest';
import { localTime } from '../../src/cli/render/text.ts';
import { Fault } from '../../src/faults.ts';
import type { ChatMessage } from '../../src/plan/chat.ts';
import type { Limits } from '../../src/plan/ledger.ts';
import type { LimitDetails } from '../../src/plan/limits.ts';
import type { Execution } from '../../src/service/agents/pipeline-run.ts';
import { type ChatStatus, statusFrom } from '../../src/service/agents/run-record.ts';
import type { SendRequest, Sent } from '../../src/service/agents/send.ts';
import { readPlanFile } from '../../src/service/plan-file.ts';
import type { PlanService } from '../../src/service/service.ts';
import { AT, fakeCli, ID, view } from './fake-cli.ts';

const agent = (agentName: string, status: string, more: Partial<Execution> = {}): Execution => ({
  agentName,
  status,
  startedAt: 1_000,
  completedAt: null,
  tokens: 0,
  cost: 0,
  attempt: 1,
  ...more,
});
const stands = (more: Partial<ChatStatus> = {}): ChatStatus => ({
  ...statusFrom('shop', undefined),
  pipelineRunId: ID,
  status: 'running',
  running: true,
  ...more,
});
const RUNNING = stands({ executions: [agent('research', 'running'), agent('architect', 'pending')] });
const DONE = stands({
  status: 'completed',
  running: false,
  executions: [
    agent('research', 'completed', { tokens: 1_200 }),
    agent('styling', 'skipped'),
    agent('qa', 'completed'),
  ],
  tokens: 1_200,
  cost: 0.5,
});
const HELD = stands({
  status: 'interrupted',
  running: false,
  interruptedPipelineId: ID,
  errorType: 'cost_limit',
  message: 'the token limit of the chat is reached',
});
const SAID: ChatMessage[] = [
  { id: '1', role: 'user', content: 'Build a shop', at: 1 },
  { id: '2', role: 'assistant', content: 'It is built.', at: 2 },
];

/** A chat that stands so, each time that somebody looks. */
function world(looks: ChatStatus[], agents: Partial<PlanService['agents']> = {}, service: Partial<PlanService> = {}) {
  const calls: [string, unknown][] = [];
  const sent: Sent = { status: 'started', chatId: 'shop', pipelineRunId: ID };
  const noted =
    <T>(name: string, answer: T) =>
    async (_caller: unknown, asked: SendRequest | string) => {
      calls.push([name, asked]);
      return answer;
    };
  const known: Partial<PlanService['agents']> = {
    send: noted('send', sent),
    retry: noted('retry', sent),
    dismiss: noted('dismiss', undefined),
    status: async () => (looks.length > 1 ? looks.shift()! : looks[0]!),
    messages: async () => SAID,
    ...agents,
  };
  const held = { read: async () => view(), ...service };
  return { ...fakeCli({ service: { agents: known as PlanService['agents'], ...held } }), calls };
}

/** What reached the limit, and what limits there are by now. */
function limited(details: LimitDetails, limits: Partial<Limits> = {}, max_tokens: number | null = null) {
  const hold = { reason: 'cost_limit' as const, since: '', by: 'Holdpoint', details };
  const budget = { max_tokens, max_cost: null };
  return {
    read: async () => view({ hold }),
    limits: async () => ({ limits }) as Awaited<ReturnType<PlanService['limits']>>,
    budget: async () => ({ budget }) as Awaited<ReturnType<PlanService['budget']>>,
  };
}

describe('a message', () => {
  test('is sent, its agents are shown as they begin and end, and the answer is told', async () => {
    const { run, out, calls } = world([RUNNING, RUNNING, DONE]);
    expect(await run('chat', 'shop', 'Build', 'a shop', '--project', 'web')).toBe(0);
    expect(calls).toEqual([
      ['send', { chatId: 'shop', message: 'Build a shop', resume: undefined, projectId: 'web', keep: true }],
    ]);
    expect(out).toEqual([
      'research         running',
      'research         completed  1,200 tokens',
      'qa               completed',
      '',
      'It is built.',
      '',
      '1,200 tokens, cost 0.5 in all',
      'completed',
    ]);
  });

  test('of which only what was last known is told at first is followed on', async () => {
    const stale = stands({ status: 'interrupted', running: false, interruptedPipelineId: ID, live: false });
    const { run, out } = world([stale, DONE]);
    expect(await run('chat', 'shop', 'Build a shop')).toBe(0);
    expect(out.at(-1)).toBe('completed');
  });

  test.each([
    ['interrupted', HELD, 5, 'interrupted: the token limit of the chat is reached', 'holdpoint chat shop --resume'],
    [
      'interrupted by a restart',
      { ...HELD, errorType: 'server_restart' as const, message: null },
      5,
      'interrupted: the server was started again',
      'holdpoint chat shop --resume',
    ],
    [
      'failed',
      stands({ status: 'failed', running: false, message: 'the model refused' }),
      1,
      'failed: the model refused',
      'holdpoint chat shop --retry',
    ],
    ['dismissed', stands({ status: 'interrupted', running: false }), 5, 'dismissed', 'dismissed'],
  ])('whose pipeline is %s ends so, with what can be done', async (_, status, code, words, then) => {
    const { run, out } = world([status]);
    expect(await run('chat', 'shop', 'Build a shop')).toBe(code);
    expect(out.join('\n')).toContain(words);
    expect(out.join('\n')).toContain(then);
  });

  const chat: LimitDetails = { limit: 'chat', spent: 900, max: 1_000, needed: 300, unit: 'tokens' };
  const day: LimitDetails = { limit: 'day_cost', spent: 0.9, max: 1, needed: 0.2, unit: 'cost' };
  test.each<[string, LimitDetails, Partial<Limits>, string | undefined]>([
    ['of the chat', chat, { maxTokensPerChat: 1_000 }, '--max-tokens-per-chat 2000'],
    ['of the day', { ...chat, limit: 'day_tokens' }, { maxTokensPerDay: 1_000 }, '--max-tokens-per-day 2000'],
    ['in money of the day', day, { maxCostPerDay: 1 }, '--max-cost-per-day 2'],
    ['of the project', { ...day, limit: 'project' }, { maxCostPerProject: 0.001 }, '--max-cost-per-project 1.1'],
    ['that is less than a call', { ...chat, needed: 12_345 }, { maxTokensPerChat: 1 }, '--max-tokens-per-chat 14000'],
    [
      'that lets nothing pass',
      { ...day, spent: 0, needed: 2e-9 },
      { maxCostPerDay: 0 },
      '--max-cost-per-day 0.000000002',
    ],
    ['that was raised, not far enough', chat, { maxTokensPerChat: 1_100 }, '--max-tokens-per-chat 2200'],
    ['that was raised far enough since', chat, { maxTokensPerChat: 1_200 }, undefined],
    ['that was lifted since', chat, { maxTokensPerChat: null }, undefined],
  ])('that reaches a limit %s ends with the command that raises it', async (_, reached, limits, raise) => {
    const { run, out } = world([HELD], {}, limited(reached, limits));
    expect(await run('chat', 'shop', 'Build a shop')).toBe(5);
    expect(out.slice(1)).toEqual([
      ...(raise ? [`  holdpoint limits ${raise}`] : []),
      '  holdpoint chat shop --resume',
      '  holdpoint chat shop --dismiss',
    ]);
  });

  test('that reaches the budget of its pipeline ends with the command that raises it and lets it go on', async () => {
    const { run, out } = world([HELD], {}, limited({ ...chat, limit: 'plan' }, {}, 1_000));
    expect(await run('chat', 'shop')).toBe(0);
    expect(out.slice(-2)).toEqual([`  holdpoint resume ${ID} --max-tokens 2000`, '  holdpoint chat shop --dismiss']);
  });

  test('worked by a model without a price has tokens, and no money that nobody knows', async () => {
    const { run, out } = world([{ ...DONE, cost: 0 }]);
    await run('chat', 'shop', 'Build a shop');
    expect(out.slice(-2)).toEqual(['1,200 tokens in all', 'completed']);
  });

  test('of a chat whose name has blanks ends with commands that can be pasted', async () => {
    const { run, out } = world([{ ...HELD, chatId: 'tea shop' }]);
    await run('chat', 'tea shop', 'Build a shop');
    expect(out).toContain("  holdpoint chat 'tea shop' --resume");
  });

  test('whose pipeline asks something ends with how it is answered', async () => {
    const asked = { checkpointId: 'q.1', agentName: 'look', message: 'Which way?', openedAt: 1, expiresAt: null };
    const pendingCheckpoint = { ...asked, options: ['quick', 'very thorough'] };
    const { run, out } = world([stands({ status: 'awaiting_checkpoint', pendingCheckpoint })]);
    expect(await run('chat', 'shop', 'Build a shop')).toBe(5);
    expect(out).toEqual([
      'Which way?',
      `  holdpoint answer ${ID} q.1 quick`,
      `  holdpoint answer ${ID} q.1 'very thorough'`,
    ]);
  });

  test.each([
    ['the one that the plan names', { on_timeout: 'thorough' }, `: thorough`],
    ['none, for it fails', {}, ' it fails'],
    ['none, for it waits on', { on_timeout: 'hold' }, ' it still waits'],
  ])('whose pipeline asks something for a time ends with the answer that is taken then: %s', async (_, words, said) => {
    const asked = { checkpointId: 'q.1', agentName: 'look', message: 'Which way?', openedAt: 1 };
    const pendingCheckpoint = { ...asked, options: ['quick', 'thorough'], expiresAt: Date.parse(AT) };
    const plan = `plan: 1\nname: p\ntasks:\n  q: ${JSON.stringify({ approve: { prompt: 'Which way?', options: ['quick', 'thorough'], timeout: '1h', ...words } })}\n`;
    const { run, out } = world(
      [stands({ status: 'awaiting_checkpoint', pendingCheckpoint })],
      {},
      {
        definition: async () => readPlanFile(plan).definition,
      },
    );
    expect(await run('chat', 'shop', 'Build a shop')).toBe(5);
    expect(out.slice(1)).toEqual([
      `  holdpoint answer ${ID} q.1 quick`,
      `  holdpoint answer ${ID} q.1 thorough`,
      `without an answer by ${localTime(AT)}${said}`,
    ]);
  });

  test('is not waited for with --detach, and told as JSON with --json', async () => {
    const { run, out } = world([RUNNING]);
    expect(await run('chat', 'shop', 'Build a shop', '--detach', '--json')).toBe(0);
    expect(JSON.parse(out.join('\n'))).toMatchObject({
      status: 'running',
      messages: [
        { role: 'user', content: 'Build a shop' },
        { role: 'assistant', content: 'It is built.' },
      ],
    });
  });

  test('that is refused is told with its numbers, and the command that raises the limit', async () => {
    const limit = { errorType: 'cost_limit', limit: 'chat', spent: 900, max: 1_000, missing: 4_814, unit: 'tokens' };
    const message = 'the token limit of the chat is reached; 4,814 tokens are missing';
    const refused = new Fault('COST_LIMIT', message, { limit: limit as Fault['limit'] & object });
    const { run, err } = world([HELD], { send: () => Promise.reject(refused) });
    expect(await run('chat', 'shop', '--resume')).toBe(5);
    expect(err).toEqual([`holdpoint: ${message}`, '  holdpoint limits --max-tokens-per-chat 5900']);
  });

  test('that the budget of its pipeline refuses is told the command that raises it and lets it go on', async () => {
    const limit = { errorType: 'cost_limit', limit: 'plan', spent: 900, max: 1_000, missing: 200, unit: 'tokens' };
    const refused = new Fault('COST_LIMIT', 'resume it with a larger budget', {
      limit: limit as Fault['limit'] & object,
    });
    const { run, err } = world([HELD], { send: () => Promise.reject(refused) });
    expect(await run('chat', 'shop', '--resume')).toBe(5);
    expect(err).toEqual([`holdpoint: resume it with a larger budget: holdpoint resume ${ID} --max-tokens 2000`]);
  });

  test('goes on without whoever watches it: Ctrl+C ends the watching alone', async () => {
    const { run, ctrlC } = world([RUNNING]);
    setTimeout(ctrlC, 50);
    expect(await run('chat', 'shop', 'Build a shop')).toBe(130);
  });
});

describe('without a message', () => {
  test('it is shown what was said, and how the chat stands', async () => {
    const { run, out, calls } = world([DONE]);
    expect(await run('chat', 'shop')).toBe(0);
    expect(calls).toEqual([]);
    expect(out).toEqual([
      'user:',
      'Build a shop',
      '',
      'assistant:',
      'It is built.',
      '',
      'research         completed  1,200 tokens',
      'qa               completed',
      '1,200 tokens, cost 0.5 in all',
      'completed',
    ]);
  });

  test('--resume lets the interrupted one go on, --retry works its message afresh, --dismiss forgets it', async () => {
    const resumed = world([DONE]);
    expect(await resumed.run('chat', 'shop', '--resume')).toBe(0);
    expect(resumed.calls).toMatchObject([['send', { message: '', resume: true }]]);
    const retried = world([HELD, DONE]);
    expect(await retried.run('chat', 'shop', '--retry')).toBe(0);
    expect(retried.calls).toEqual([['retry', ID]]);
    expect(retried.out.at(-1)).toBe('completed');
    const dismissed = world([HELD, stands({ status: 'interrupted', running: false })]);
    expect(await dismissed.run('chat', 'shop', '--dismiss')).toBe(0);
    expect(dismissed.calls).toEqual([['dismiss', ID]]);
    expect(dismissed.out.at(-1)).toBe('dismissed');
  });

  test('of a chat in which nothing was asked yet it says so', async () => {
    const { run, out } = world([statusFrom('shop', undefined)], { messages: async () => [] });
    expect(await run('chat', 'shop')).toBe(0);
    expect(out).toEqual(['nothing was asked in this chat yet']);
  });

  test.each(['retry', 'dismiss'])('there is nothing to %s in a chat in which nothing was asked', async (option) => {
    const { run, calls, err } = world([statusFrom('shop', undefined)]);
    expect(await run('chat', 'shop', `--${option}`)).toBe(2);
    expect(err).toEqual([`holdpoint: nothing was asked in the chat shop yet: there is nothing to ${option}`]);
    expect(calls).toEqual([]);
  });

  test.each([
    [['--retry', '--dismiss']],
    [['--resume', '--dismiss']],
    [['And more', '--retry']],
    [['More', '--dismiss']],
  ])('%j contradict each other', async (options) => {
    const { run, calls, err } = world([HELD]);
    expect(await run('chat', 'shop', ...options)).toBe(2);
    expect(err).toHaveLength(1);
    expect(calls).toEqual([]);
  });
});
