import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { loadStored } from '../../src/activities/stored-values.ts';
import { type LlmStub, llmStub, type Reply } from '../support/llm-stub.ts';
import { until } from '../support/world.ts';
import { KEY, type LlmPlace, place } from './llm/attempt.ts';

const open: { stub: LlmStub; place: LlmPlace }[] = [];
afterEach(() => {
  for (const { stub, place } of open.splice(0)) {
    stub.stop();
    place.remove();
  }
});

async function given(model?: Parameters<typeof llmStub>[0], more?: Parameters<typeof place>[1]) {
  const stub = await llmStub(model, KEY);
  const at = await place(stub.base_url, more);
  open.push({ stub, place: at });
  return { ...at, stub };
}
/** One reply after the other; the last for ever. */
const replies =
  (...all: (string | Reply)[]) =>
  ({ n }: { n: number }) =>
    all[Math.min(n, all.length) - 1]!;

const COLOURS = {
  type: 'object',
  properties: { colour: { enum: ['red', 'blue'] } },
  required: ['colour'],
  additionalProperties: false,
};

describe('what is asked, and what comes', () => {
  test('a text alone is the prompt; text, model and usage are the outputs', async () => {
    const { attempt, stub } = await given();
    const outputs = await attempt('Say it');
    expect(outputs).toMatchObject({ text: 'You said: Say it', model: 'stub', finish_reason: 'stop' });
    expect(outputs.usage).toMatchObject({ input_tokens: 2, output_tokens: 4, total_tokens: 6, cost: 0, calls: 1 });
    expect(stub.answered).toEqual({ calls: 1, input_tokens: 2, output_tokens: 4, total_tokens: 6 });
    expect(stub.calls[0]!.body).toEqual({
      model: 'stub',
      messages: [{ role: 'user', content: 'Say it' }],
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  test('system, what was said before and the prompt come in this order, filled in from outputs and inputs', async () => {
    const { attempt, stub } = await given();
    await attempt(
      {
        system: 'You are ${{ inputs.who }}',
        messages: '${{ inputs.said }}',
        prompt: 'Go on from ${{ tasks.a.outputs.text }}',
        temperature: '${{ inputs.t }}',
        max_output_tokens: 50,
      },
      {
        inputs: {
          who: 'Ann',
          t: 0.5,
          said: [
            { role: 'user', content: 'hi' },
            { role: 'assistant', content: 'yes?' },
          ],
        },
        tasks: { a: { status: 'succeeded', outputs: { text: 'here' } } },
      },
    );
    expect(stub.calls[0]!.messages).toEqual([
      { role: 'system', content: 'You are Ann' },
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'yes?' },
      { role: 'user', content: 'Go on from here' },
    ]);
    expect(stub.calls[0]!.body).toMatchObject({ temperature: 0.5, max_tokens: 50 });
  });

  test('a value is said as JSON', async () => {
    const { attempt, stub } = await given();
    const inputs = { v: { a: [1, null] } };
    await attempt({ system: '${{ inputs.v.a[0] }}', prompt: '${{ inputs.v }}' }, { inputs });
    expect([stub.calls[0]!.system, stub.calls[0]!.user]).toEqual(['1', '{"a":[1,null]}']);
  });

  test('a long text travels by reference', async () => {
    const { attempt, store } = await given(() => 'long '.repeat(2_000));
    const { text } = await attempt('Go');
    expect(text).toHaveProperty('$stored');
    expect(await loadStored(text as never, store)).toBe('long '.repeat(2_000));
  });

  test('the text stands in the log as it comes, and then what it came to', async () => {
    const { attempt, log, heard } = await given(() => ({ text: 'one two three', pieces: 3, every_ms: 100 }));
    const running = attempt('Go');
    await until('the first piece is logged', () => heard.output > 0 && /^one/.test(log()));
    expect(log()).not.toContain('---');
    await running;
    expect(log()).toMatch(/^one two three\n--- 1 tokens in, 4 out, \d+ ms\n$/);
    expect(heard.calls).toBe(2);
  });

  test.each([
    [{ prompt: '' }, /must not be empty/],
    [{ system: 'x' }, /prompt|missing/],
    [{ prompt: 'x', temperature: 3 }, /from 0 to 2/],
    [{ prompt: 'x', max_output_tokens: 1.5 }, /whole number/],
    [{ prompt: 'x', messages: 'hello' }, /list of \{role, content\}/],
  ])('%j is refused', async (words, message) => {
    const { attempt } = await given();
    await expect(attempt(words)).rejects.toThrow(message);
  });

  test('what an expression gives is checked before anything is asked', async () => {
    const { failure, stub } = await given();
    const { why, message } = await failure({ prompt: 'x', temperature: '${{ inputs.t }}' }, { inputs: { t: 'hot' } });
    expect([why, message]).toEqual(['invalid', 'llm: temperature has to be a number from 0 to 2']);
    expect(stub.calls).toHaveLength(0);
  });
});

describe('JSON', () => {
  test('the schema is sent, and the answer is read by it', async () => {
    const { attempt, stub } = await given(() => '```json\n{"colour": "red"}\n```');
    expect(await attempt({ prompt: 'Which?', output: COLOURS })).toMatchObject({ json: { colour: 'red' } });
    expect(stub.calls[0]!.body.response_format).toEqual({
      type: 'json_schema',
      json_schema: { name: 'ask', schema: COLOURS, strict: true },
    });
  });

  test('an answer that does not fit is asked for again with what was wrong; every call is counted', async () => {
    const { attempt, stub, settled } = await given(replies('red', '{"colour": "green"}', '{"colour": "blue"}'));
    const outputs = await attempt({ prompt: 'Which?', output: COLOURS });
    expect(outputs).toMatchObject({ json: { colour: 'blue' }, usage: { calls: 3 } });
    expect(stub.calls[1]!.user).toMatch(/it is not JSON/);
    expect(stub.calls[2]!.user).toMatch(/#\/colour/);
    const tokens = settled().reduce((sum, { tokens }) => sum + tokens, 0);
    expect(tokens).toBe(stub.answered.total_tokens);
    expect(outputs.usage).toMatchObject({ total_tokens: tokens });
  });

  test('after three answers that do not fit the attempt fails, and says what it came to', async () => {
    const { failure, stub } = await given(() => '{"colour": "green"}');
    const { message, final, details } = await failure({ prompt: 'Which?', output: COLOURS });
    expect(message).toMatch(/^the answer does not fit the schema, 3 times: #\/colour/);
    expect(final).toBe(false);
    expect(details).toMatchObject({ calls: 3, input_tokens: stub.answered.input_tokens });
  });
});

describe('what goes wrong', () => {
  const failures: [string, Reply, object][] = [
    ['a bad request', { status: 400, error: 'no such parameter' }, { why: 'hopeless', details: { status: 400 } }],
    ['an unknown model', { status: 404 }, { why: 'hopeless' }],
    ['a wrong key', { status: 401 }, { why: 'hopeless', details: { status: 401, code: 'auth_failure' } }],
    ['a key that may not', { status: 403 }, { why: 'hopeless', details: { status: 403, code: 'forbidden' } }],
    ['a failing server', { status: 500 }, { why: undefined, details: { status: 500 } }],
    ['too many requests', { status: 429 }, { why: undefined, details: { status: 429 } }],
    ['a connection that ends at once', 'hang_up', { why: undefined }],
    ['an error in the stream', { stream_error: { message: 'overloaded', code: 'server_error' } }, { why: undefined }],
    ['a refusal', { text: 'I cannot', refusal: true }, { why: 'hopeless', message: 'the model refused: I cannot' }],
    ['an empty answer', { text: '' }, { why: undefined }],
    ['no credit', { status: 402 }, { why: 'limit', details: { limit: 'provider' } }],
    [
      'a used up quota',
      { status: 429, error: { message: 'You exceeded your current quota', code: 'insufficient_quota' } },
      { why: 'limit', details: { limit: 'provider', message: expect.stringContaining('exceeded your current quota') } },
    ],
    [
      'a long wait',
      { status: 429, headers: { 'retry-after': '3600' } },
      { why: 'limit', details: { limit: 'provider', resets_at: expect.stringMatching(/^2\d{3}-.*Z$/) } },
    ],
    [
      'limits that come back late',
      { status: 429, headers: { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '1h2m' } },
      { why: 'limit', details: { limit: 'provider' } },
    ],
  ];
  test.each(failures)('%s', async (_, reply, expected) => {
    const { failure, told } = await given(() => reply);
    expect(await failure('Go')).toMatchObject(expected);
    expect(told.map((one) => Object.keys(one)[0])).toEqual(['reserve', 'settle']);
  });

  test('a short Retry-After is waited for in the attempt', async () => {
    const { attempt, stub, settled } = await given(replies({ status: 429, headers: { 'retry-after': '1' } }, 'here'));
    expect(await attempt('Go')).toMatchObject({ text: 'here', usage: { calls: 2 } });
    expect(settled().map(({ tokens }) => tokens)).toEqual([0, stub.answered.total_tokens]);
    expect(new Set(settled().map(({ id }) => id)).size).toBe(2);
  });

  test('an answer that is cut off is counted by what came, and fails the attempt', async () => {
    const { failure, settled } = await given(() => ({ text: 'x'.repeat(80), pieces: 4, cut_after: 2 }));
    expect((await failure('x'.repeat(40))).final).toBe(false);
    expect(settled()).toMatchObject([{ input_tokens: 10, output_tokens: 10, estimated: true }]);
  });

  test('where the server does not say what was used, it is counted from the text', async () => {
    const { attempt } = await given(() => ({ text: 'x'.repeat(80), no_usage: true }));
    expect((await attempt('x'.repeat(40))).usage).toMatchObject({
      input_tokens: 10,
      output_tokens: 20,
      estimated: true,
    });
  });

  test('cancelled in less than a second while it streams; what came is counted', async () => {
    const { attempt, settled, heard, stub } = await given(() => ({
      text: 'x'.repeat(4_000),
      pieces: 1_000,
      every_ms: 20,
    }));
    const controller = new AbortController();
    const running = attempt('Go', { signal: controller.signal });
    await until('it streams', () => heard.output > 3);
    const began = performance.now();
    controller.abort(new Error('stopped'));
    await expect(running).rejects.toThrow('stopped');
    expect(performance.now() - began).toBeLessThan(1_000);
    expect(settled()).toMatchObject([{ input_tokens: 1, estimated: true }]);
    await until('the server is rid of it', () => stub.calls[0]!.left());
  });

  test('cancelled before anything came: nothing is counted, also when the ledger does not answer', async () => {
    const { attempt, settled, stub } = await given(() => 'silence');
    const controller = new AbortController();
    const running = attempt('Go', { signal: controller.signal, ledger: { settle: () => new Promise(() => {}) } });
    await until('it is asked', () => stub.calls.length === 1);
    controller.abort(new Error('stopped'));
    await expect(running).rejects.toThrow('stopped');
    expect(settled()).toMatchObject([{ tokens: 0, cost: 0 }]);
  });
});

describe('the ledger', () => {
  test('is asked before and told after, by the id of the call', async () => {
    const { attempt, reserved, settled } = await given();
    await attempt({ prompt: 'x'.repeat(40), max_output_tokens: 100 }, { input: { charged_to: { chat: 'c' } } });
    const id = 'plan/1/ask#1.1.1';
    const scopes = { plan: 'plan', chat: 'c' };
    expect(reserved()).toEqual([{ id, tokens: 110, cost: 0, scopes }]);
    expect(settled()).toMatchObject([{ id, input_tokens: 10, scopes }]);
  });

  test('a refusal ends the attempt with the numbers, and nothing is asked', async () => {
    const { failure, stub, settled } = await given();
    const refused = { granted: false, limit: 'chat', spent: 90, max: 100, needed: 50, unit: 'tokens' } as const;
    const { why, message, details } = await failure('Go', { ledger: { reserve: async () => refused } });
    expect(why).toBe('limit');
    expect(message).toMatch(/the chat's limit is reached: 90 of 100 tokens .* may take 50/);
    // With what the call would take of each: whoever resumes asks for both.
    const { granted: _, ...numbers } = refused;
    expect(details).toEqual({ ...numbers, tokens: 1_001, cost: 0 });
    expect([stub.calls.length, settled().length]).toEqual([0, 0]);
  });

  test('what was answered is not lost when the ledger cannot be told', async () => {
    const { attempt } = await given();
    const settle = () => Promise.reject(new Error('away'));
    expect(await attempt('Go', { ledger: { settle } })).toMatchObject({ text: 'You said: Go' });
  });

  test('an attempt whose worker was lost after the answer does not ask again, and settles the same call', async () => {
    const { attempt, stub, settled } = await given(replies('red', '{"colour": "blue"}'));
    const words = { prompt: 'Which?', output: COLOURS };
    const first = await attempt(words);
    const told = settled();
    const again = await attempt(words, { input: { dispatch: 2 } });
    expect(again.json).toEqual(first.json);
    expect(stub.calls).toHaveLength(2);
    expect(settled()).toEqual([...told, ...told]);
    await attempt(words, { input: { attempt: 2 } });
    expect(stub.calls).toHaveLength(3);
  });

  test('the first attempt of a next run is another: it asks, and counts for itself', async () => {
    const { attempt, stub, settled } = await given();
    await attempt('Go');
    await attempt('Go', { input: { run: 2 } });
    expect(stub.calls).toHaveLength(2);
    expect(settled().map(({ id }) => id)).toEqual(['plan/1/ask#1.1.1', 'plan/1/ask@2#1.1.1']);
  });

  test('an answer that was not kept whole was never there', async () => {
    const { attempt, stub, folder, settled } = await given();
    await attempt('Go');
    const journal = join(folder, 'llm', 'ask');
    const [name] = readdirSync(journal);
    writeFileSync(join(journal, name!), '{"id": "pl');
    await attempt('Go', { input: { dispatch: 2 } });
    expect(stub.calls).toHaveLength(2);
    expect(settled().map(({ id }) => id)).toEqual(['plan/1/ask#1.1.1', 'plan/1/ask#1.2.1']);
  });
});

describe('models', () => {
  test('a profile has its model, place, key and prices', async () => {
    const other = await llmStub(undefined, 'sk-other-key-123456');
    try {
      const { folder } = await given();
      const modelsFile = join(folder, 'models.yaml');
      writeFileSync(
        modelsFile,
        `big: { model: big-1, base_url: "${other.base_url}", api_key_env: OTHER_KEY, input_cost: 2, output_cost: 10 }`,
      );
      const key = (variable?: string) => (variable === 'OTHER_KEY' ? 'sk-other-key-123456' : KEY);
      const { attempt, reserved, settled } = await given(undefined, { modelsFile, key });
      const outputs = await attempt({ prompt: 'x'.repeat(40), model: 'big', max_output_tokens: 100 });
      expect(outputs).toMatchObject({ model: 'big-1', usage: { cost: 0.00015 } });
      expect(reserved()[0]!.cost).toBe(0.00102);
      expect(settled()[0]!.cost).toBe(0.00015);
      await attempt('Go', { input: { model_profile: 'big', task: 'b' } });
      expect(other.calls.map(({ model }) => model)).toEqual(['big-1', 'big-1']);
    } finally {
      other.stop();
    }
  });

  test.each([
    ['big: { model: 1 }', /big\.model: /],
    ['big: { model: a, price: 1 }', /price/],
    ['- a', /models\.yaml: /],
    ['a: [', /neither YAML nor JSON/],
  ])('a file of profiles that says %j is refused with its path', async (text, message) => {
    const { folder } = await given();
    const modelsFile = join(folder, 'models.yaml');
    writeFileSync(modelsFile, text);
    await expect(place('http://127.0.0.1/v1', { modelsFile })).rejects.toThrow(message);
  });

  test('without a place or a model nothing is asked, and the task says what to set', async () => {
    const { failure } = await given(undefined, { baseUrl: undefined });
    expect(await failure('Go')).toMatchObject({ why: 'invalid', message: /HOLDPOINT_LLM_BASE_URL/ });
    const { failure: failsToo } = await given(undefined, { model: undefined });
    expect(await failsToo('Go')).toMatchObject({ why: 'invalid', message: /HOLDPOINT_LLM_MODEL/ });
  });
});

test('the key goes to the server and stands nowhere else, whatever the model and its server say', async () => {
  const { attempt, failure, files, stub } = await given(({ n }) =>
    n === 1
      ? { text: `your key is ${KEY}`, pieces: 9 }
      : { status: 401, error: { message: `Incorrect API key provided: ${KEY}`, code: 'invalid_api_key' } },
  );
  expect(JSON.stringify(await attempt('Go'))).not.toContain(KEY);
  await failure('Go', { input: { task: 'b' } });
  await delay(0);
  expect(stub.calls[0]!.headers.authorization).toBe(`Bearer ${KEY}`);
  const holding = Object.entries(files()).filter(([, text]) => text.includes(KEY));
  expect(holding).toEqual([]);
  expect(Object.keys(files()).length).toBeGreaterThan(2);
});
