// Writes web/dist-server/verifier.html: one file with everything in it but the key, which the server puts in, and beside it
// web/dist-server/format-de-preuve.md, from which others write their own. The same source gives the same bytes anywhere:
// `--record` writes their SHA-256 into docs/verifier.sha256, `--check` fails when they are others.
import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'vite'

const here = import.meta.dirname
const target = path.join(here, '../dist-server')
const recorded = path.join(here, '../../docs/verifier.sha256')

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
const verifier = page
  .replace('<!-- format -->', sha256(format))
  .replace('/* style */', () => style)
  .replace('/* script */', () => script)
const hashes = `${sha256(verifier)}  verificateur.html\n${sha256(format)}  format-de-preuve.md\n`

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

const { values: options } = parseArgs({
  options: { check: { type: 'boolean' }, record: { type: 'boolean' } },
})
if (options.check) {
  if ((await readFile(recorded, 'utf8')) !== hashes)
    throw new Error('Another verifier: node web/verifier/build.ts --record')
} else if (options.record) {
  await writeFile(recorded, hashes)
} else {
  await mkdir(target, { recursive: true })
  await Promise.all([
    writeFile(path.join(target, 'format-de-preuve.md'), format),
    writeFile(path.join(target, 'verifier.html'), verifier),
  ])
}
