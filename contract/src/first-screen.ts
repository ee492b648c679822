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

/** A page as the server can make it. */
export interface MadePage {
  /** 503 when what it shows could not be had: its browser asks again, and nobody should remember it like this. */
  status: 200 | 404 | 503
  /** The elements of the head that are this page's own. */
  head: string
  /** Undefined where only the browser makes the page: for signed-in people, for forms with passwords, after a failure. */
  screen: FirstScreen | undefined
}

export interface FirstScreen {
  /** What goes into `#root`. */
  body: string
  /** JSON, safe inside a script element. */
  state: string
  /** The module of the page, as the build's manifest names it. */
  module: string
}

/** Undefined where there is no page of that address. */
export type MakePage = (request: FirstScreenRequest) => Promise<MadePage | undefined>
