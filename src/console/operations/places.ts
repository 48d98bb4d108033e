import type { SessionListed } from '../api/types.ts';

export type Surface = SessionListed['surface'];

/** A session, as the addresses of the API and of the console's pages have it. */
export interface SessionPlace {
  hash: string;
  session: string;
  surface: Surface;
}

/** What an address of a page says besides. */
export interface SessionSearch {
  surface?: 'mcp';
  /** Only operations before this number. */
  before?: number;
}
export interface OperationSearch {
  surface?: 'mcp';
  /** Which result, by its label. */
  of?: string;
  offset?: number;
}

export const sessionSearch = ({ surface, before }: Record<string, unknown>): SessionSearch => ({
  ...(surface === 'mcp' && { surface }),
  ...(isCount(before) && before > 0 && { before }),
});

export function operationSearch({ surface, of, offset }: Record<string, unknown>): OperationSearch {
  // A label that looks like a number is read as one.
  const label = typeof of === 'string' || typeof of === 'number' ? String(of) : undefined;
  return {
    ...(surface === 'mcp' && { surface }),
    ...(label !== undefined && { of: label }),
    ...(isCount(offset) && offset > 0 && { offset }),
  };
}

const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value);

/** What the API is asked with, where it is not asked for sessions over HTTP. */
export const surfaceIn = ({ surface }: SessionPlace) => (surface === 'mcp' ? { surface } : {});

export const sessionPath = ({ hash, session }: SessionPlace, rest = ''): string =>
  `execute/${encodeURIComponent(hash)}/${encodeURIComponent(session)}${rest}`;
export const operationPath = (place: SessionPlace, handle: string, rest = ''): string =>
  sessionPath(place, `/operations/${encodeURIComponent(handle)}${rest}`);

/** What the router needs for a link to a session. */
export const sessionLink = ({ hash, session, surface }: SessionPlace) => ({
  to: '/programs/$hash/$session' as const,
  params: { hash, session },
  search: surface === 'mcp' ? { surface } : {},
});
export const operationLink = ({ hash, session, surface }: SessionPlace, handle: string) => ({
  to: '/programs/$hash/$session/$handle' as const,
  params: { hash, session, handle },
  search: surface === 'mcp' ? { surface } : {},
});
