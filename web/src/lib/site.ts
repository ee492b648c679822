export const SITE_NAME = 'Révélations'

let knownOrigin: string | undefined

/** The server knows the site's address before there is any address bar; the browser goes on with the same. */
export function setSiteOrigin(origin: string): void {
  knownOrigin = origin
}

export function siteOrigin(): string {
  return knownOrigin ?? window.location.origin
}

/** Where to write about the licence: a mailbox of whichever site shows this page. */
export function licenceEmail(): string {
  return `licence@${new URL(siteOrigin()).hostname}`
}
