import { defineConfig } from 'vitest/config';

/** `npm run fuzz`: without a Temporal server, which none of it needs. */
export default defineConfig({ test: { include: ['test/fuzz/**/*.test.ts'], fileParallelism: false } });
