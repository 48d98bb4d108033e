import { addressOf } from '../api/client.ts';
import { tellConnection } from '../live/connection.ts';
import { whileVisible } from '../live/visible.ts';
import { operationPath, type SessionPlace, surfaceIn } from './places.ts';

export interface ToldLine {
  n: number;
  line: string;
}

interface Follow {
  place: SessionPlace;
  handle: string;
  /** Lines behind this one are told. */
  after: number;
  hear: (told: ToldLine) => void;
  /** It has ended, or cannot be followed: whatever is shown of it is to be read. */
  over: () => void;
}

const AGAIN_MS = 2_000;

/** Hears the lines of an operation as they come; gives what ends that. */
export function followOperation(follow: Follow): () => void {
  let seen = follow.after;
  const hear = (told: ToldLine) => {
    if (told.n <= seen) return;
    seen = told.n;
    follow.hear(told);
  };
  return whileVisible(() => listen({ ...follow, hear }, () => seen));
}

function listen({ place, handle, hear, over }: Follow, seen: () => number): () => void {
  const name = `operation ${place.hash} ${place.surface} ${place.session} ${handle}`;
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const close = () => {
    clearTimeout(timer);
    source?.close();
    tellConnection(name, 'gone');
  };
  const take = ({ type, data, lastEventId }: MessageEvent<string>) => {
    hear({ n: Number(lastEventId), line: data });
    if (type !== 'terminal') return;
    close();
    over();
  };
  const open = () => {
    source = new EventSource(
      addressOf(operationPath(place, handle, '/stream'), { after: seen(), ...surfaceIn(place) }),
    );
    source.onopen = () => tellConnection(name, 'connected');
    source.onerror = () => {
      if (source?.readyState !== EventSource.CLOSED) return tellConnection(name, 'lost');
      // All has been told, or the server refused: what is read says which.
      over();
      timer = setTimeout(open, AGAIN_MS);
    };
    for (const type of ['snapshot', 'progress', 'terminal']) source.addEventListener(type, take);
  };
  open();
  return close;
}
