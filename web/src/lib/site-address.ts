let known: string | undefined

/** The server knows the site's name before there is any address bar; the browser goes on with the same. */
export function nameSite(hostname: string): void {
  known = hostname
}

export function siteHostname(): string {
  return known ?? window.location.hostname
}
