import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Plugin } from 'vite'

/** Gives a script that runs before the first paint a hashed name; what is no module, Vite would leave where it is. */
export function blockingScript(file: string): Plugin {
  let root = ''
  return {
    name: 'blocking-script',
    apply: 'build',
    configResolved: (config) => {
      root = config.root
    },
    async buildStart() {
      const source = await readFile(path.join(root, file), 'utf8')
      // Its comments are for us.
      const code = source.replaceAll(/^\s*\/\*.*?\*\/\s*$|^\s*\/\/[^\n]*$/gms, '')
      this.emitFile({ type: 'asset', name: path.basename(file), source: code })
    },
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle = {} }) => {
        const asset = Object.values(bundle).find(
          (output) => output.type === 'asset' && output.names.includes(path.basename(file)),
        )
        if (!asset) throw new Error(`${file} is not in the build`)
        return html.replace(file, `/${asset.fileName}`)
      },
    },
  }
}
