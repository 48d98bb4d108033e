/** How long a page that is hidden keeps its streams: browsers have few connections for all their tabs. */
const KEEP_MS = 5_000;

/** Calls `open` whenever the page is to be seen, and what that gives when it is hidden for a while; gives what ends both. */
export function whileVisible(open: () => () => void): () => void {
  let close: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = () => {
    close?.();
    close = undefined;
  };
  const look = () => {
    clearTimeout(timer);
    if (document.visibilityState === 'visible') close ??= open();
    else timer = setTimeout(end, KEEP_MS);
  };
  document.addEventListener('visibilitychange', look);
  look();
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', look);
    end();
  };
}
