import { defineConfig } from 'vitest/config'
import { WORKERS } from './vitest.workers.ts'

export default defineConfig({
  test: {
    projects: [
      'server',
      'web',
      {
        test: {
          name: 'contract',
          root: './contract',
          include: ['src/**/*.test.ts'],
          // A limit for what hangs, not for what a busy machine does slowly.
          testTimeout: 60_000,
          maxWorkers: WORKERS,
        },
      },
    ],
  },
})
