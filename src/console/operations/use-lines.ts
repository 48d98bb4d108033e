import { useEffect, useState } from 'react';
import type { Operation } from '../api/types.ts';
import { followOperation, type ToldLine } from './follow-operation.ts';
import type { SessionPlace } from './places.ts';
import { isRunning, type OperationView, readOperationsAgain } from './queries.ts';

/** What comes at once is shown at once. */
const PACE_MS = 60;

/** The newest line of an operation: by its stream where it is watched, and else as it was read. */
export function useLine(place: SessionPlace, operation: OperationView, watched: boolean): ToldLine {
  const { handle, op, line } = operation;
  const { hash, session, surface } = place;
  const [told, setTold] = useState<ToldLine>();
  const isFollowed = watched && isRunning(operation);
  useEffect(() => {
    // From the line on that was known when it began.
    if (!isFollowed) return;
    const place = { hash, session, surface };
    const over = () => void readOperationsAgain(place);
    return followOperation({ place, handle, after: op.n, hear: setTold, over });
  }, [hash, session, surface, handle, isFollowed]);
  // Of the same line what was read is newer: it has the rows of now.
  return told && told.n > op.n ? told : { n: op.n, line };
}

/** The first line that a stream tells is the second: that of the acceptance is known. */
const ACCEPTED = 1;

/** All lines of an operation, as they come. */
export function useLines(place: SessionPlace, { handle }: Operation): readonly ToldLine[] {
  const { hash, session, surface } = place;
  const [lines, setLines] = useState<readonly ToldLine[]>([]);
  useEffect(() => {
    const place = { hash, session, surface };
    let fresh: ToldLine[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = () => {
      timer = undefined;
      const news = fresh;
      fresh = [];
      setLines((before) => [...before, ...news]);
    };
    const hear = (told: ToldLine) => {
      fresh.push(told);
      timer ??= setTimeout(show, PACE_MS);
    };
    setLines([]);
    const unfollow = followOperation({
      place,
      handle,
      after: ACCEPTED,
      hear,
      over: () => void readOperationsAgain(place),
    });
    return () => {
      clearTimeout(timer);
      unfollow();
    };
  }, [hash, session, surface, handle]);
  return lines;
}
