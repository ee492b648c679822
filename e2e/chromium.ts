import { execFileSync } from 'node:child_process'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { createBrotliDecompress } from 'node:zlib'

const CACHE = path.resolve(import.meta.dirname, '../node_modules/.cache')

/** How a test starts Chromium on any machine. */
export interface Browser {
  executablePath: string
  args: string[]
  env: Record<string, string>
}

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--autoplay-policy=no-user-gesture-required',
  // A microphone that beeps, and a permission that is always granted.
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
]

/** `CHROMIUM_PATH`, else the one inside the npm package, unpacked once. */
export async function findChromium(): Promise<Browser> {
  const { CHROMIUM_PATH, ...inherited } = process.env as Record<string, string>
  if (CHROMIUM_PATH) return { executablePath: CHROMIUM_PATH, args: ARGS, env: inherited }
  const folder = await unpacked()
  const libraries = path.join(folder, 'lib')
  return {
    executablePath: path.join(folder, 'chromium'),
    args: ARGS,
    env: {
      ...inherited,
      // A bare system has neither NSS nor a font configuration: the package brings its own.
      ...(lacksLibraries(path.join(folder, 'chromium')) ? { LD_LIBRARY_PATH: libraries } : {}),
      ...(existsSync('/etc/fonts/fonts.conf')
        ? {}
        : { FONTCONFIG_PATH: folder, FONTCONFIG_FILE: path.join(folder, 'fonts.conf') }),
    },
  }
}

function lacksLibraries(executable: string): boolean {
  return execFileSync('ldd', [executable]).toString().includes('not found')
}

/** Unpacks into a private folder and renames it, so that two runs at once never see half a browser. */
async function unpacked(): Promise<string> {
  const packageFolder = path.resolve(
    fileURLToPath(import.meta.resolve('@sparticuz/chromium')),
    '../../..',
  )
  const { version } = JSON.parse(
    await readFile(path.join(packageFolder, 'package.json'), 'utf8'),
  ) as { version: string }
  const target = path.join(CACHE, `chromium-${version}`)
  if (existsSync(target)) return target
  await mkdir(CACHE, { recursive: true })
  const draft = await mkdtemp(path.join(CACHE, 'chromium-draft-'))
  const source = path.join(packageFolder, 'bin')
  await decompress(path.join(source, 'chromium.br'), path.join(draft, 'chromium'))
  await chmod(path.join(draft, 'chromium'), 0o755)
  for (const name of ['al2023', 'swiftshader', 'fonts']) {
    const archive = path.join(draft, `${name}.tar`)
    await decompress(path.join(source, `${name}.tar.br`), archive)
    execFileSync('tar', ['-xf', archive, '-C', draft, '--no-same-owner'])
    await rm(archive)
  }
  await rename(draft, target).catch(async (error: unknown) => {
    if (!existsSync(target)) throw error
    await rm(draft, { recursive: true })
  })
  return target
}

async function decompress(from: string, to: string): Promise<void> {
  await pipeline(createReadStream(from), createBrotliDecompress(), createWriteStream(to))
}
