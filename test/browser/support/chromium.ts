import { existsSync } from 'node:fs';

const USUAL = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The Chromium to test with: `CHROMIUM_PATH`, or where it usually is. */
export function chromiumPath(): string {
  const path = process.env.CHROMIUM_PATH ?? USUAL.find((each) => existsSync(each));
  if (path === undefined)
    throw new Error('no Chromium is here: install it (Debian: apt-get install chromium), or name it in CHROMIUM_PATH');
  return path;
}
