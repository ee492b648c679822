import type { ReactNode } from 'react'
import type { PageFirstScreen } from '#web/lib/first-screen.ts'
import { type LazyPart, lazyPart } from '#web/lib/lazy-part.tsx'

export interface LazyPage extends LazyPart {
  fetch: () => Promise<PageFirstScreen | undefined>
}

type PageModule<Name extends string> = Record<Name, () => ReactNode> & {
  firstScreen?: PageFirstScreen
}

/** A page, with what it asks for before it is first seen. */
export function lazyPage<Name extends string>(
  load: () => Promise<PageModule<Name>>,
  name: Name,
): LazyPage {
  const part = lazyPart<Name, () => ReactNode>(load, name)
  const fetchPart = part.fetch
  const fetch = async () => {
    await fetchPart()
    return (await load()).firstScreen
  }
  return Object.assign(part, { fetch })
}
