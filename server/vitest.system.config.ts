import { defineConfig } from 'vitest/config'
import server from './vitest.config.ts'

/** What `script/test --all` adds: whole programs, commands, several machines, backups, every format of the media tools. */
export default defineConfig({
  test: {
    ...server.test,
    name: 'system',
    include: ['src/**/*.system.test.ts', 'test/**/*.system.test.ts'],
    exclude: [],
  },
})
