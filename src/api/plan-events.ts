import { type Request, type Response, Router } from 'express';
import { z } from 'zod';
import type { Pushed } from '../service/hub/follow.ts';
import { parseRequest } from '../service/parse-request.ts';
import type { ReadPlan } from '../service/read-plan.ts';
import type { PlanService } from '../service/service.ts';
import { otherMethods } from './addresses.ts';
import type { StreamEvent } from './event-stream.ts';
import { openLastingStream, type StreamEnds } from './lasting-stream.ts';
import { callerIn } from './locals.ts';
import { documented, events, type Operation } from './openapi/operation.ts';
import { eventView } from './timeline.ts';

const eventsQuery = z.strictObject({
  after: z.string().optional().describe('What `Last-Event-ID` says, for those who cannot send it'),
});

/** A plan's events as they come, as server-sent events whose ids are their numbers; ends with the plan's run. */
export function eventRoutes(service: PlanService, ends: StreamEnds): Router {
  const router = Router();
  router
    .route('/api/plans/:id/events')
    .get(documented(operation), async (request, response) => {
      const { after } = parseRequest(eventsQuery, request.query);
      const asked = { planId: request.params.id, after: request.get('last-event-id') || after };
      await sendEvents(service, ends, asked, request, response);
    })
    .all(otherMethods);
  return router;
}

/** The events of a plan after the one that the caller has seen, until its run ends. */
export async function sendEvents(
  service: PlanService,
  ends: StreamEnds,
  { planId, after }: { planId: string; after: string | undefined },
  request: Request,
  response: Response,
): Promise<void> {
  const { over, pushed } = await service.follow(callerIn(response), planId, numberOf(after || undefined));
  // By this an EventSource, which comes again after every end, knows that there is no more.
  if (over) return void response.status(204).end();
  if (request.method === 'HEAD') return void response.type('text/event-stream').end();
  const stream = openLastingStream(request, response, ends);
  for await (const one of pushed(stream.gone)) await stream.send(messageOf(one));
  stream.close();
}

function numberOf(id: string | undefined): number | 'unknown' | undefined {
  if (id === undefined) return undefined;
  const number = /^\d{1,15}$/.test(id) ? Number(id) : undefined;
  return number ?? 'unknown';
}

function messageOf(pushed: Pushed): StreamEvent {
  switch (pushed.what) {
    case 'event':
      return { id: String(pushed.event.seq), event: pushed.event.type, data: eventView(pushed.event) };
    case 'snapshot':
    case 'resync':
      return {
        id: String(pushed.seq),
        event: pushed.what,
        data: { ...standing(pushed.view), message: pushed.message },
      };
    case 'last_known':
      // Without an id: it stands for no event.
      return { event: 'last_known', data: standing(pushed.view) };
  }
}

/** How a plan stands, without its tasks, of which there may be thousands. */
function standing({ tasks: _, children: __, ...view }: ReadPlan) {
  return view;
}

const operation: Operation = {
  tag: 'story',
  summary: 'The events of a plan as they come, as server-sent events',
  description: 'Ends with the run: its last event has `state`, `error` and `totals`.',
  query: eventsQuery,
  headers: ['Last-Event-ID'],
  answers: {
    200: {
      description: 'Events; the `id` of each is its `seq`',
      content: events,
    },
    204: { description: 'All has been told' },
  },
};
