import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { WORKERS } from '../vitest.workers.ts'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  // Node would take the client's other half, which reads files of its own.
  resolve: { alias: { 'tus-js-client': 'tus-js-client/lib.es5/browser/index.js' } },
  test: {
    name: 'web',
    environment: 'jsdom',
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['src/test/setup.ts'],
    restoreMocks: true,
    maxWorkers: WORKERS,
    // A limit for what hangs, not for what a busy machine does slowly.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
