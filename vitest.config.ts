import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      'server',
      'web',
      { test: { name: 'contract', root: './contract', include: ['src/**/*.test.ts'] } },
    ],
    // One more than the cores of a small machine: many tests wait for a process.
    maxWorkers: 3,
  },
})
