import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { MadePage } from '#contract/first-screen.ts'

/** What the build's manifest says of a module: its file, and the modules it cannot do without. */
type Manifest = Record<string, { file: string; imports?: string[] }>

const HEAD = /<!--head-->.*<!--\/head-->/s
const CODE = /\s*(?:<script type="module"[^>]*><\/script>|<link rel="modulepreload"[^>]*>)/g
const ROOT = '<div id="root"></div>'
const STATE = '<!--state-->'

/** Puts heads and first screens into the page of the build in this folder. */
export async function loadPageTemplate(
  folder: string,
): Promise<(page: Pick<MadePage, 'head' | 'screen'>) => string> {
  const html = await readFile(path.join(folder, 'index.html'), 'utf8')
  const manifest: Manifest = JSON.parse(
    await readFile(path.join(folder, '.vite', 'manifest.json'), 'utf8'),
  )
  if (!HEAD.test(html) || !html.includes(ROOT) || !html.includes(STATE)) {
    throw new Error('web/dist/index.html has no place for first screens')
  }
  // What is seen comes first: `before-paint.js` takes the code that takes it over out of its template once it is painted.
  const code = [...html.matchAll(CODE)].map(([tag]) => tag.trim())
  const page = html.replaceAll(CODE, '')
  // Functions, since what people wrote may hold the signs that `replace` reads.
  return ({ head, screen }) => {
    if (!screen) return html.replace(HEAD, () => head)
    const { body, state, module } = screen
    const scripts = [...code, ...preloads(manifest, module, html)].join('')
    return page
      .replace(HEAD, () => head)
      .replace(ROOT, () => `<div id="root">${body}</div>`)
      .replace(
        STATE,
        () =>
          `<script id="first-screen" type="application/json">${state}</script>\n    <template id="code">${scripts}</template>`,
      )
  }
}

/** The files of a page's own code that the template does not name already. */
function preloads(manifest: Manifest, module: string, html: string): string[] {
  const files = new Set<string>()
  const visit = (name: string) => {
    const chunk = manifest[name]
    if (!chunk || files.has(chunk.file) || html.includes(`/${chunk.file}"`)) return
    files.add(chunk.file)
    chunk.imports?.forEach(visit)
  }
  visit(module)
  return [...files].map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`)
}
