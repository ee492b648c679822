import { type RefObject, useEffect, useRef } from 'react'
import { useNavigationType, useSearchParams } from 'react-router'

const TABS = ['apercu', 'revelations', 'relations', 'parametres', 'abonnements'] as const
export type ProfileTab = (typeof TABS)[number]

const PARAMETER = 'onglet'

/** The address of a tab of one’s own profile. */
export function tabSearch(tab: ProfileTab): string {
  return `?${PARAMETER}=${tab}`
}

/** The tab in the address, so that going back finds it; the first one when there is no such tab here. */
export function useProfileTab(available: readonly ProfileTab[]) {
  const [params, setParams] = useSearchParams()
  const wanted = params.get(PARAMETER)
  const tab = available.find((name) => name === wanted) ?? 'apercu'
  const openTab = (next: ProfileTab) =>
    setParams(next === 'apercu' ? {} : { [PARAMETER]: next }, { preventScrollReset: true })
  return { tab, openTab }
}

/** Whoever was led to a tab sees it: on a phone the tabs stand below all that a profile says first. */
export function useTabsInSight(): RefObject<HTMLDivElement | null> {
  const [params] = useSearchParams()
  const navigation = useNavigationType()
  const tabs = useRef<HTMLDivElement>(null)
  const isLed = useRef(params.has(PARAMETER) && navigation !== 'POP')
  useEffect(() => {
    if (isLed.current) tabs.current?.scrollIntoView()
  }, [])
  return tabs
}
