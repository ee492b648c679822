import { defineConfig } from 'vitest/config'
import { WORKERS } from '../vitest.workers.ts'

export default defineConfig({
  test: {
    name: 'server',
    environment: 'node',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: './test/global-setup.ts',
    // Processes, not threads: native modules, signals and child processes behave as in the program.
    pool: 'forks',
    maxWorkers: WORKERS,
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
})
