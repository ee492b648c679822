import { defineConfig } from 'vitest/config'
import { HANGS_AFTER_MS, WORKERS } from './vitest.limits.ts'

export default defineConfig({
  test: {
    projects: [
      'server',
      'server/vitest.system.config.ts',
      'web',
      {
        test: {
          name: 'contract',
          root: './contract',
          include: ['src/**/*.test.ts'],
          isolate: false,
          testTimeout: HANGS_AFTER_MS,
          maxWorkers: WORKERS,
        },
      },
    ],
  },
})
