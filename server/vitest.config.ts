import { defineConfig } from 'vitest/config'
import { HANGS_AFTER_MS, WORKERS } from '../vitest.limits.ts'
import { storeTemporaryFilesInMemory } from './testing/memory-folder.ts'

storeTemporaryFilesInMemory()

export default defineConfig({
  test: {
    name: 'server',
    environment: 'node',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['**/*.system.test.ts'],
    globalSetup: './testing/global-setup.ts',
    // Processes, not threads: native modules, signals and child processes behave as in the program.
    pool: 'forks',
    // The server’s modules hold no state of a test, and to load them takes longer than most files run.
    isolate: false,
    restoreMocks: true,
    maxWorkers: WORKERS,
    testTimeout: HANGS_AFTER_MS,
    hookTimeout: HANGS_AFTER_MS,
    expect: { poll: { timeout: HANGS_AFTER_MS } },
  },
})
