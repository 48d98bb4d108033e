import { useState } from 'react';

const KEY = 'holdpoint.chats';
const MOST = 50;

export interface RecentChat {
  id: string;
  at: number;
}

/** Chats that were looked at in this browser, the newest first: the API lists none. */
export function recentChats(): RecentChat[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isChat) : [];
  } catch {
    // Storage may be forbidden, or somebody else's.
    return [];
  }
}

const isChat = (value: unknown): value is RecentChat =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as RecentChat).id === 'string' &&
  typeof (value as RecentChat).at === 'number';

function keep(chats: RecentChat[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(chats.slice(0, MOST)));
  } catch {
    // Then the list lasts as long as nothing.
  }
}

export const rememberChat = (id: string): void =>
  keep([{ id, at: Date.now() }, ...recentChats().filter((each) => each.id !== id)]);

export function useRecentChats(): [RecentChat[], (id: string) => void] {
  const [chats, setChats] = useState(recentChats);
  const forget = (id: string) => {
    keep(recentChats().filter((each) => each.id !== id));
    setChats(recentChats());
  };
  return [chats, forget];
}
