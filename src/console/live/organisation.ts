import ReconnectingWebSocket from 'partysocket/ws';
import { useCallback, useSyncExternalStore } from 'react';
import { addressOf } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import type { PlanState, PlanTag } from '../api/types.ts';
import { tellConnection } from './connection.ts';
import { type Heard, LIST_LAG_MS } from './heard.ts';

interface Message extends Pick<Heard, 'state' | 'seq'> {
  type: 'EVT_PLAN_STATE_CHANGED';
  plan_id: string;
}

const SIGNED_OUT = 4401;

const heard = new Map<string, Heard>();
const listeners = new Set<(planId: string, heard: Heard) => void>();

/** Hears every change of state of the organisation's plans until it is ended, and connects again by itself. */
export function hearOrganisation(): () => void {
  const url = addressOf('api/ws').replace(/^http/, 'ws');
  const socket = new ReconnectingWebSocket(url, [], { minReconnectionDelay: 300, maxReconnectionDelay: 5_000 });
  socket.onopen = () => {
    tellConnection('organisation', 'connected');
    // Connect first, then read: what was missed in between is in what is read.
    void queryClient.invalidateQueries();
  };
  socket.onmessage = ({ data }: MessageEvent<string>) => {
    const { type, plan_id, state, seq } = JSON.parse(data) as Message;
    if (type !== 'EVT_PLAN_STATE_CHANGED' || seq <= (heard.get(plan_id)?.seq ?? 0)) return;
    const news = { state, seq, heard_at: Date.now() };
    heard.set(plan_id, news);
    for (const listener of listeners) listener(plan_id, news);
  };
  socket.onclose = ({ code }: { code: number }) => {
    tellConnection('organisation', 'lost');
    if (code === SIGNED_OUT) void queryClient.invalidateQueries({ queryKey: ['me'] });
  };
  return () => {
    socket.close();
    tellConnection('organisation', 'gone');
  };
}

export function onHeard(listener: (planId: string, heard: Heard) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Document 1's effective state, for a row of a list that was read at `readAt`: what was heard, unless the list is newer. */
export function effectiveState(planId: string, listed: PlanTag, readAt: number): PlanTag | PlanState {
  const news = heard.get(planId);
  return news && news.heard_at > readAt - LIST_LAG_MS ? news.state : listed;
}

/** The same in a component, which is drawn again when something is heard of the plan. */
export function useEffectiveState(planId: string, listed: PlanTag, readAt: number): PlanTag | PlanState {
  useHeard(planId);
  return effectiveState(planId, listed, readAt);
}

/** The last that was heard of a plan. */
export const useHeard = (planId: string): Heard | undefined =>
  useSyncExternalStore(
    useCallback((listener) => onHeard((id) => id === planId && listener()), [planId]),
    () => heard.get(planId),
  );
