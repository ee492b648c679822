// Writes web/dist/verificateur.html: one file with everything in it, which opens without a network.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { build } from 'vite'

const here = import.meta.dirname
const target = path.join(here, '../dist/verificateur.html')

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

const [page, style, script] = await Promise.all([
  readFile(path.join(here, 'verifier.html'), 'utf8'),
  readFile(path.join(here, 'verifier.css'), 'utf8'),
  bundle(),
])
await mkdir(path.dirname(target), { recursive: true })
await writeFile(
  target,
  page.replace('/* style */', () => style).replace('/* script */', () => script),
)
