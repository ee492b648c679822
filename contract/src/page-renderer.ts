/** How the server has a page made by the web part, of the same components as in the browser. Nothing here goes over the wire. */
export interface PageRequest {
  /** The path and the search of the address. */
  path: string
  /** The origin under which the pages are known. */
  origin: string
  nowMs: () => number
  /** Calls the API as a visitor. Without it nothing is called: the page is the head of its entry, and its browser makes the rest. */
  fetchApi?: (path: string, init: RequestInit) => Promise<Response>
}

export interface RenderedPage {
  /** 503 when what it shows could not be had: its browser asks again, and nobody should remember it like this. */
  status: 200 | 404 | 503
  html: string
  /** Whether it shows what may be otherwise the next moment; false where only the head is its own. */
  isLive: boolean
  /** What was thrown while it was rendered: `html` is then the page that browsers make themselves. */
  failure?: { error: unknown; route: string }
}

/** Undefined where there is no page of that address. */
export type RenderPage = (request: PageRequest) => Promise<RenderedPage | undefined>

/** What the build's manifest says of a module: its file, what that hashes to, and the modules it cannot do without. */
export type BuildManifest = Record<string, { file: string; integrity?: string; imports?: string[] }>

/**
 * @param template `index.html` as it was built, or as the development server gives it.
 * @param manifest Of the build; in development there is none.
 */
export type CreatePageRenderer = (template: string, manifest?: BuildManifest) => RenderPage
