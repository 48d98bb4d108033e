import { defineConfig } from 'vitest/config';

/** `npm run record:histories -- NAME`: records what is not recorded yet. No part of the tests. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/replay/record.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    // A Temporal server of its own for each: without one, it would be whichever answers at the usual port.
    maxWorkers: 1,
    testTimeout: 300_000,
    hookTimeout: 900_000,
  },
});
