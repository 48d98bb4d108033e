/** What is kept under a key for as long as its tab is open; undefined: nothing. */
export function readKept(key: string): string | undefined {
  try {
    return sessionStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps it, or forgets what was kept. */
export function keep(key: string, text: string | undefined): void {
  try {
    if (text === undefined) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
  } catch {
    // Storage may be forbidden, or full: what was written then lasts as long as the page.
  }
}
