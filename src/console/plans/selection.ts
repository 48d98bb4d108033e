import { useCallback, useMemo, useRef, useState } from 'react';
import type { Row } from './merge.ts';

export interface Selection {
  /** Those of the rows that are there: a plan that has left the list is not acted on unseen. */
  selected: Row[];
  has: (planId: string) => boolean;
  /** `toHere`: all from the one that was clicked before. */
  set: (planId: string, is: boolean, toHere: boolean) => void;
  setAll: (is: boolean) => void;
  keep: (planIds: string[]) => void;
}

/** Which rows are selected. */
export function useSelection(rows: Row[]): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<string>(undefined);
  const present = useRef(rows);
  present.current = rows;
  const selected = useMemo(() => rows.filter(({ plan_id }) => ids.has(plan_id)), [rows, ids]);
  const set = useCallback((planId: string, is: boolean, toHere: boolean) => {
    const places = [planId, toHere ? last.current : planId].map((id) =>
      present.current.findIndex(({ plan_id }) => plan_id === id),
    );
    const range = places.includes(-1) ? [] : present.current.slice(Math.min(...places), Math.max(...places) + 1);
    last.current = planId;
    setIds((old) => {
      const next = new Set(old);
      for (const id of [planId, ...range.map(({ plan_id }) => plan_id)])
        if (is) next.add(id);
        else next.delete(id);
      return next;
    });
  }, []);
  const setAll = useCallback(
    (is: boolean) => setIds(new Set(is ? present.current.map(({ plan_id }) => plan_id) : [])),
    [],
  );
  const keep = useCallback((planIds: string[]) => setIds(new Set(planIds)), []);
  return { selected, has: (planId) => ids.has(planId), set, setAll, keep };
}
