import type { BuildManifest } from '#contract/page-renderer.ts'
import { type PageState, STATE_ID } from './page-state.ts'

/** What of a page is its own; `index.html` is the rest. Without a body its browser makes the page. */
export interface PageParts {
  /** The elements of the head that differ from page to page. */
  head: string
  body?: string
  state?: PageState
  /** The page in the table of routes. */
  pageId?: string
}

const HEAD = /<!--head-->.*<!--\/head-->/s
const CODE = /\s*(?:<script type="module"[^>]*><\/script>|<link rel="modulepreload"[^>]*>)/g
const ROOT = '<div id="root"></div>'
const STATE = '<!--state-->'

/** Puts pages into `index.html`. */
export function createPageTemplate(
  html: string,
  manifest?: BuildManifest,
): (page: PageParts) => string {
  if (!HEAD.test(html) || !html.includes(ROOT) || !html.includes(STATE)) {
    throw new Error('index.html has no place for pages')
  }
  // What is seen comes first: `inline-boot.js` takes the code that takes it over out of its template once it is painted.
  const script =
    manifest &&
    html
      .match(CODE)
      ?.find((tag) => tag.includes('<script'))
      ?.trim()
  const whole = manifest ? html.replaceAll(CODE, '') : html
  // Functions, since what people wrote may hold the signs that `replace` reads.
  return ({ head, body, state, pageId }) => {
    if (body === undefined) return html.replace(HEAD, () => head)
    const code = manifest ? [...preloads(manifest, pageId), script].join('') : ''
    const json = JSON.stringify(state).replaceAll('<', '\\u003c')
    return whole
      .replace(HEAD, () => head)
      .replace(ROOT, () => `<div id="root">${body}</div>`)
      .replace(
        STATE,
        () =>
          `<script id="${STATE_ID}" type="application/json">${json}</script>\n    <template id="code">${code}</template>`,
      )
  }
}

/** Announces the files of a page, the entry's first: it holds React, and everything else waits for it. */
function preloads(manifest: BuildManifest, pageId: string | undefined): string[] {
  const files = new Map<string, string | undefined>()
  const visit = (name: string) => {
    const chunk = manifest[name]
    if (!chunk || files.has(chunk.file)) return
    files.set(chunk.file, chunk.integrity)
    chunk.imports?.forEach(visit)
  }
  const page = Object.keys(manifest).filter((name) => name.endsWith(`/${pageId}.tsx`))
  for (const name of ['index.html', ...page]) visit(name)
  return Array.from(files, ([file, integrity]) => {
    const hash = integrity ? ` integrity="${integrity}"` : ''
    return `<link rel="modulepreload" crossorigin href="/${file}"${hash}>`
  })
}
