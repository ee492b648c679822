import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      'server',
      'web',
      { test: { name: 'contract', root: './contract', include: ['src/**/*.test.ts'] } },
    ],
    maxWorkers: 2,
  },
})
