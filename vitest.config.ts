import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    // Two cores run one real server and its workers at a time.
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 900_000,
  },
});
