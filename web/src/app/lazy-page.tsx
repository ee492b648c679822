import { type ComponentType, lazy } from 'react'
import type { PageFirstScreen } from '#web/lib/first-screen.ts'

/** A page whose code comes when it is shown, unless it was fetched before. */
export interface LazyPage {
  (): React.ReactNode
  /** To be called before anything is rendered: the page is then there at once, and its place never empty. */
  fetch: () => Promise<PageFirstScreen | undefined>
}

type PageModule<Name extends string> = Record<Name, ComponentType> & {
  firstScreen?: PageFirstScreen
}

export function lazyPage<Name extends string>(
  load: () => Promise<PageModule<Name>>,
  name: Name,
): LazyPage {
  let Fetched: ComponentType | undefined
  const Later = lazy(async () => ({ default: (await load())[name] as ComponentType }))
  const Page = () => (Fetched ? <Fetched /> : <Later />)
  Page.fetch = async () => {
    const module = await load()
    Fetched = module[name]
    return module.firstScreen
  }
  return Page
}
