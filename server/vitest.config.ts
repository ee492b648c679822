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
    // A limit for what hangs, not for what a busy machine does slowly.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
