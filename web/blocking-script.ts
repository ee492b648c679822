import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { minify, type Plugin } from 'vite'

/**
 * Puts a script that runs before the first paint into the page itself: as a file of its own, it would hold up the reading
 * of everything below it. The server tells the policy of the pages its hash.
 */
export function blockingScript(file: string): Plugin {
  let root = ''
  return {
    name: 'blocking-script',
    apply: 'build',
    configResolved: (config) => {
      root = config.root
    },
    transformIndexHtml: {
      order: 'pre',
      handler: async (html) => {
        const tag = `<script src="${file}"></script>`
        if (!html.includes(tag)) throw new Error(`${file} is not in the page`)
        const source = await readFile(path.join(root, file), 'utf8')
        const { code } = await minify(path.basename(file), source)
        return html.replace(tag, () => `<script>${code}</script>`)
      },
    },
  }
}
