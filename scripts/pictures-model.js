// Stands for a language model while pictures are taken: agents answer in a sentence or two, and one of them takes its time.
import { once } from 'node:events';
import { createServer } from 'node:http';

const SAID = [
  [/researcher/, 'Teas by origin and price, a basket, orders by mail. Out of scope: payment, accounts.'],
  [
    /architect/,
    'Three pages over one API: list, tea, basket. Teas in one table, orders in another; the basket is kept in the browser.',
  ],
  [
    /frontend/,
    'src/pages/list.tsx, src/pages/tea.tsx and src/pages/basket.tsx are written, with loading and empty states.',
  ],
  [/server|backend/, 'api/teas.ts and api/orders.ts are written, with validation of what comes in.'],
  [/designer|style/, 'styles/shop.css: one column up to 640 px, then cards; contrast 7:1.'],
  [
    /You tell the people/,
    'The buttons are larger now: 44 px high, also on phones. Nothing remains open; reload the page to see them.',
  ],
];
/** Whoever this is about is still being worked on when the picture is taken. */
const SLOW = 'booking';
const USAGE = { prompt_tokens: 4_200, completion_tokens: 2_200, total_tokens: 6_400 };

export async function picturesModel() {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { messages, model, response_format: format } = JSON.parse(body);
    const text = messages.map(({ content }) => content).join('\n');
    if (/frontend developer/.test(text) && text.includes(SLOW)) return;
    const of = format?.json_schema?.schema?.properties ?? {};
    const isFix = (text.split('sort:').at(-1) ?? '').includes('button');
    const answer = of.intent
      ? JSON.stringify({ intent: isFix ? 'fix' : 'build', scope: isFix ? 'styling' : 'full', needsBackend: true })
      : of.approved
        ? JSON.stringify({ approved: true, issues: [] })
        : (SAID.find(([who]) => who.test(messages[0].content))?.[1] ?? 'Done.');
    const common = { id: 'picture', created: 0, model, object: 'chat.completion.chunk' };
    const send = (choices, more) => response.write(`data: ${JSON.stringify({ ...common, choices, ...more })}\n\n`);
    response.setHeader('content-type', 'text/event-stream');
    send([{ index: 0, delta: { content: answer }, finish_reason: null }]);
    send([{ index: 0, delta: {}, finish_reason: 'stop' }]);
    send([], { usage: USAGE });
    response.end('data: [DONE]\n\n');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
