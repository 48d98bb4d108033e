import type { Row } from '../../activities/program/chunk.ts';
import type { Json } from '../../plan/json.ts';
import type { Shown } from './answer.ts';
import { handleOf } from './handles.ts';
import type { ExecuteParts } from './parts.ts';
import { type Result, rowsFrom } from './results.ts';
import type { SessionKey, Sessions } from './session.ts';

/** Where the rows of a page are: kept already, or to be read after those that a step has read. */
export type PagePlace =
  | { kind: 'kept'; plan_id: string; node: string; offset: number }
  | { kind: 'next'; plan_id: string; node: string };

/** Rows of results, and handles for those after them. Of an operation that did not succeed, nothing more is read. */
export async function shownOf(
  { stores }: ExecuteParts,
  sessions: Sessions,
  key: SessionKey,
  { plan_id, results, offset = 0, goesOn }: { plan_id: string; results: Result[]; offset?: number; goesOn: boolean },
): Promise<Shown[]> {
  const shown = await Promise.all(
    results.map(async (result): Promise<{ one: Shown; place: PagePlace | undefined }> => {
      const rows = await rowsFrom(stores.rows, plan_id, result, offset);
      const { label, count: kept, node, hasNext } = result;
      const after = offset + rows.length;
      const place: PagePlace | undefined =
        after < kept && rows.length > 0
          ? { kind: 'kept', plan_id, node, offset: after }
          : hasNext && goesOn
            ? { kind: 'next', plan_id, node }
            : undefined;
      return { one: { label, rows, offset, kept }, place };
    }),
  );
  const places = shown.flatMap(({ place }) => place ?? []);
  if (places.length === 0) return shown.map(({ one }) => one);
  const numbers = await sessions.pages(
    key,
    places.map((place) => ({ key: keyOf(place), place: place as unknown as Json })),
  );
  return shown.map(({ one, place }) => {
    if (!place) return one;
    return { ...one, page: handleOf(key.surface, 'pages', numbers[places.indexOf(place)]!) };
  });
}

const keyOf = (place: PagePlace): string =>
  place.kind === 'kept' ? `${place.plan_id} ${place.node} ${place.offset}` : `${place.plan_id} ${place.node} next`;

/** Only some fields of rows, as a projection behind a page asks for. */
export const projected = (rows: Row[], fields: string[]): Row[] =>
  rows.map((row) => Object.fromEntries(fields.map((field) => [field, row[field] ?? null])));
