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
          maxWorkers: WORKERS,
        },
      },
    ],
  },
})
