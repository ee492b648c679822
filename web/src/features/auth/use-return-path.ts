import { type Location, useLocation } from 'react-router'
import { paths } from '#web/app/paths.ts'

/** Where to go once signed in: the page that asked for it, else the home page. */
export function useReturnPath(): string {
  const { state } = useLocation()
  const from = (state as { from?: Location } | null)?.from
  return from ? `${from.pathname}${from.search}${from.hash}` : paths.home
}
