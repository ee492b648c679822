import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Plugin } from 'vite'

const TAGS = /<(?:script type="module"|link rel="(?:modulepreload|stylesheet)")[^>]*>/g
const ADDRESS = /(?:src|href)="\/([^"]+)"/

/**
 * Says in the page, and in the manifest for what the server adds to pages, what each file of the build hashes to: a browser
 * runs no other bytes under that name. What is written is hashed, once nothing changes it any more.
 */
export function fileIntegrity(): Plugin {
  let folder = ''
  const hashOf = async (file: string) => {
    const content = await readFile(path.join(folder, file))
    return `sha384-${createHash('sha384').update(content).digest('base64')}`
  }
  return {
    name: 'file-integrity',
    apply: 'build',
    configResolved: ({ root, build }) => {
      folder = path.resolve(root, build.outDir)
    },
    writeBundle: async () => {
      const manifestFile = path.join(folder, '.vite/manifest.json')
      const manifest: Record<string, { file: string; integrity?: string }> = JSON.parse(
        await readFile(manifestFile, 'utf8'),
      )
      for (const built of Object.values(manifest)) {
        if (/\.(?:js|css)$/.test(built.file)) built.integrity = await hashOf(built.file)
      }
      await writeFile(manifestFile, JSON.stringify(manifest, null, 2))
      const page = path.join(folder, 'index.html')
      const html = await readFile(page, 'utf8')
      const tags = new Map<string, string>()
      for (const [tag] of html.matchAll(TAGS)) {
        const file = ADDRESS.exec(tag)?.[1]
        if (file === undefined) throw new Error(`${tag} names no file of the build`)
        tags.set(tag, tag.replace(/\/?>$/, ` integrity="${await hashOf(file)}">`))
      }
      await writeFile(
        page,
        html.replaceAll(TAGS, (tag) => tags.get(tag) ?? tag),
      )
    },
  }
}
