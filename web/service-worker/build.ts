// Writes web/dist/service-worker.js: one script, with the names of the files that this build needs without a network.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { build } from 'vite'
import { compressFile } from '../compressed-files.ts'
import { listPrecached } from './precached.ts'

const here = import.meta.dirname
const dist = path.join(here, '../dist')

const shell = await readFile(path.join(dist, 'index.html'), 'utf8')
const precached = await listPrecached(dist, shell)
// The shell names the entry by its hash: shell and entry are of one build.
const version = createHash('sha256').update(shell).update(precached.join()).digest('hex')

await build({
  configFile: false,
  root: here,
  publicDir: false,
  logLevel: 'warn',
  define: {
    BUILD: JSON.stringify({ version: version.slice(0, 16), precached }),
  },
  build: {
    outDir: dist,
    emptyOutDir: false,
    target: 'es2022',
    modulePreload: false,
    rolldownOptions: {
      input: path.join(here, 'worker/worker.ts'),
      output: { format: 'iife', entryFileNames: 'service-worker.js' },
    },
  },
})
await compressFile(path.join(dist, 'service-worker.js'))
