import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // The console's, in a browser, have a command of their own: npm run test:browser.
    exclude: ['test/browser/**'],
    globalSetup: ['test/support/global-setup.ts'],
    // Most of the time is waiting: for heartbeats, time-outs and processes. Each of the two has a Temporal server of its own.
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 900_000,
  },
});
