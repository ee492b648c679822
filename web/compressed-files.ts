import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const COMPRESSIBLE = /\.(?:m?js|css|svg|html)$/

/** Writes each text file a second and third time, compressed once and for all: the server only has to send it. */
export function compressedFiles(): Plugin {
  let folder = ''
  return {
    name: 'compressed-files',
    apply: 'build',
    configResolved: ({ root, build }) => {
      folder = path.resolve(root, build.outDir)
    },
    closeBundle: async () => {
      const names = await readdir(folder, { recursive: true })
      await Promise.all(
        names
          .filter((name) => COMPRESSIBLE.test(name))
          .map((name) => compressFile(path.join(folder, name))),
      )
    },
  }
}

export async function compressFile(file: string): Promise<void> {
  const content = await readFile(file)
  await writeFile(`${file}.br`, await promisify(brotliCompress)(content))
  await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }))
}
