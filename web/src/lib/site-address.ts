let known: string | undefined

/** The server knows the site's address before there is any address bar; the browser goes on with the same. */
export function nameSite(origin: string): void {
  known = origin
}

export function siteOrigin(): string {
  return known ?? window.location.origin
}
