import { defineConfig } from 'vitest/config';

/** Real browsers at real engines: each file has an engine and a browser of its own. Needs Chromium and what `npm run build` makes. */
export default defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts'],
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 900_000,
  },
});
