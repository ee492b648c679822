import { useLayoutEffect } from 'react'
import { SITE_NAME } from './site-name.ts'

let named: string | undefined

/** Names the page in the browser's tab. A server has no tab: `takeDocumentTitle` gives the name to whoever makes the page. */
export function useDocumentTitle(title: string | undefined): void {
  if (import.meta.env.SSR) named = title
  useLayoutEffect(() => {
    document.title = titleOf(title)
  }, [title])
}

export function titleOf(title: string | undefined): string {
  return title ? `${title} · ${SITE_NAME}` : SITE_NAME
}

/** The name of the page that was just rendered on the server. */
export function takeDocumentTitle(): string | undefined {
  const title = named
  named = undefined
  return title
}
