/** What stands in the place of an output that is too large to travel with the plan. */
export interface StoredValue {
  sha256: string;
  bytes: number;
  head?: string;
  tail?: string;
  json?: true;
  dropped?: number;
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function storedIn(value: unknown): StoredValue | undefined {
  if (!isMap(value) || Object.keys(value).length !== 1 || !isMap(value.$stored)) return undefined;
  const { sha256, bytes } = value.$stored;
  return typeof sha256 === 'string' && typeof bytes === 'number'
    ? (value.$stored as unknown as StoredValue)
    : undefined;
}

/** The files that a task declared, as its output `files` has them. */
export function filesIn(value: unknown): { path: string; sha256: string; bytes: number }[] | undefined {
  if (!isMap(value)) return undefined;
  const files = Object.entries(value).flatMap(([path, file]) => {
    const { sha256, bytes } = isMap(file) ? file : {};
    return typeof sha256 === 'string' && typeof bytes === 'number' ? [{ path, sha256, bytes }] : [];
  });
  return files.length === Object.keys(value).length ? files : undefined;
}
