// Writes web/dist-server/verifier.html: one file with everything in it but the key, which the server puts in, and beside it
// web/dist-server/format-de-preuve.md, from which others write their own.
import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { build } from 'vite'

const here = import.meta.dirname
const target = path.join(here, '../dist-server')

async function bundle(): Promise<string> {
  const built = await build({
    configFile: false,
    root: here,
    logLevel: 'warn',
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      rolldownOptions: { input: path.join(here, 'verifier.ts') },
    },
  })
  const outputs = [built].flat().flatMap((one) => ('output' in one ? one.output : []))
  const [chunk, ...more] = outputs.flatMap((one) => (one.type === 'chunk' ? [one.code] : []))
  if (chunk === undefined || more.length > 0) throw new Error('The verifier must be one script')
  return chunk.replaceAll('</script', '<\\/script')
}

const [page, style, format, script] = await Promise.all([
  readFile(path.join(here, 'verifier.html'), 'utf8'),
  readFile(path.join(here, 'verifier.css'), 'utf8'),
  readFile(path.join(here, '../../docs/proof.md')),
  bundle(),
])
await mkdir(target, { recursive: true })
await Promise.all([
  writeFile(path.join(target, 'format-de-preuve.md'), format),
  writeFile(
    path.join(target, 'verifier.html'),
    page
      .replace('<!-- format -->', createHash('sha256').update(format).digest('hex'))
      .replace('/* style */', () => style)
      .replace('/* script */', () => script),
  ),
])
