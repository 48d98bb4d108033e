/** Reads something again, `waitMs` after somebody asked for it, once for all that ask until then. */
export function refresher(read: () => Promise<unknown>, waitMs: () => number) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isWanted = false;
  let isOver = false;
  const soon = () => {
    isWanted = true;
    if (timer !== undefined || isOver) return;
    timer = setTimeout(again, waitMs());
  };
  const again = async () => {
    isWanted = false;
    await read();
    timer = undefined;
    if (isWanted) soon();
  };
  const end = () => {
    isOver = true;
    clearTimeout(timer);
  };
  return { soon, end };
}
