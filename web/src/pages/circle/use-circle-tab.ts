import { useSearchParams } from 'react-router'

const TABS = ['livraisons', 'contacts', 'calendrier', 'statistiques'] as const
export type CircleTab = (typeof TABS)[number]

const PARAMETER = 'onglet'

/** The tab, which the address carries beside the filters of the other tabs. */
export function useCircleTab() {
  const [params, setParams] = useSearchParams()
  const wanted = params.get(PARAMETER)
  const tab = TABS.find((name) => name === wanted) ?? 'livraisons'
  const openTab = (next: CircleTab) => {
    const others = new URLSearchParams(params)
    others.delete(PARAMETER)
    if (next !== 'livraisons') others.set(PARAMETER, next)
    setParams(others, { preventScrollReset: true })
  }
  return { tab, openTab }
}

/** The query string of a tab, with its filters. */
export function circleSearch(tab: CircleTab, shown: Record<string, string> = {}): string {
  const params = new URLSearchParams({
    ...(tab !== 'livraisons' && { [PARAMETER]: tab }),
    ...shown,
  })
  return params.size > 0 ? `?${params}` : ''
}
