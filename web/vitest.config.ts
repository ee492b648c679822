import react from '@vitejs/plugin-react'
import svgr from 'vite-plugin-svgr'
import { defineConfig } from 'vitest/config'
import { HANGS_AFTER_MS, WORKERS } from '../vitest.limits.ts'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), svgr()],
  // Node would take the client's other half, which reads files of its own.
  resolve: { alias: { 'tus-js-client': 'tus-js-client/lib.es5/browser/index.js' } },
  test: {
    name: 'web',
    environment: 'jsdom',
    include: ['src/**/*.test.{ts,tsx}', 'verifier/*.test.ts'],
    setupFiles: ['src/test/setup.ts'],
    // One window and one graph of modules for all files of a worker; `src/test/setup.ts` resets both after each test.
    isolate: false,
    restoreMocks: true,
    maxWorkers: WORKERS,
    testTimeout: HANGS_AFTER_MS,
    hookTimeout: HANGS_AFTER_MS,
    expect: { poll: { timeout: HANGS_AFTER_MS } },
  },
})
