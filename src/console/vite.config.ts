import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Everything is found from where the page is: it may be served behind any path. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react()],
  worker: { format: 'es' },
  build: {
    outDir: '../../dist/console',
    emptyOutDir: true,
    target: 'es2023',
    // The policy of the page allows no `data:` scripts, and what is small is not worth a second way.
    assetsInlineLimit: 0,
    // All styles at once, for they are little: one that failed to load with its part would not be asked for again.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
  },
});
