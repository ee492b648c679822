import { type RefObject, useEffect, useRef } from 'react'
import { useLocation, useNavigationType, useSearchParams } from 'react-router'

const TABS = ['apercu', 'revelations', 'relations', 'parametres', 'abonnements'] as const
export type ProfileTab = (typeof TABS)[number]

const PARAMETER = 'onglet'

/** The address of a tab of one’s own profile. */
export function tabSearch(tab: ProfileTab): string {
  return `?${PARAMETER}=${tab}`
}

/** The tab in the address; the first one when there is no such tab here. */
export function useProfileTab(available: readonly ProfileTab[]) {
  const [params, setParams] = useSearchParams()
  const wanted = params.get(PARAMETER)
  const tab = available.find((name) => name === wanted) ?? 'apercu'
  const openTab = (next: ProfileTab) =>
    setParams(next === 'apercu' ? {} : { [PARAMETER]: next }, { preventScrollReset: true })
  return { tab, openTab }
}

/** Scrolls to the tabs when a link named one, or to the part of the tab that it named: on a phone they are far below. */
export function useScrollToTabs(): RefObject<HTMLDivElement | null> {
  const [params] = useSearchParams()
  const { hash } = useLocation()
  const navigation = useNavigationType()
  const tabs = useRef<HTMLDivElement>(null)
  const isTabRequested = useRef(params.has(PARAMETER) && navigation !== 'POP')
  const namedPart = useRef(hash.slice(1))
  useEffect(() => {
    if (!isTabRequested.current) return
    const part = document.getElementById(namedPart.current)
    ;(part ?? tabs.current)?.scrollIntoView()
  }, [])
  return tabs
}
