import { defineConfig } from 'vitest/config'
import server from './vitest.config.ts'

/** Whole programs that are killed, several machines, nginx, backups: what `script/test --all` adds. */
export default defineConfig({
  test: {
    ...server.test,
    name: 'system',
    include: ['src/**/*.system.test.ts', 'test/**/*.system.test.ts'],
    exclude: [],
    isolate: true,
  },
})
