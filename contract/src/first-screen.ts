/** How the server makes a page's first screen with the web part's own components. Nothing here goes over the wire. */
export interface FirstScreenRequest {
  /** The path and the search of the address. */
  path: string
  /** The origin under which the pages are known. */
  origin: string
  nowMs: () => number
  /** Asks the API as a visitor. */
  ask: (path: string, init: RequestInit) => Promise<Response>
}

export interface FirstScreen {
  status: 200 | 404
  /** The elements of the head that are this page's own. */
  head: string
  /** What goes into `#root`. */
  body: string
  /** JSON, safe inside a script element. */
  state: string
  /** The module of the page, as the build's manifest names it. */
  module: string
}

/** Undefined for what only the browser makes: pages of signed-in people, and answers that could not be had. */
export type RenderFirstScreen = (request: FirstScreenRequest) => Promise<FirstScreen | undefined>
