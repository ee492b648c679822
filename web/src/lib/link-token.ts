import { useCallback, useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'

const FRAGMENT = /^#jeton=([\w.~-]{1,2000})$/

/**
 * The token of a mail's link, removed from the address so that no history, bookmark or shared address has it. It stays
 * with this page of this tab, reloaded or not, until `forget`; what is shown then does not change.
 */
export function useLinkToken(): { token: string | undefined; forget: () => void } {
  const { hash, pathname } = useLocation()
  const navigate = useNavigate()
  const storageKey = `link-token:${pathname}`
  const arrived = FRAGMENT.exec(hash)?.[1]
  const [stored, setStored] = useState(() => sessionStorage.getItem(storageKey) ?? undefined)
  if (arrived && arrived !== stored) setStored(arrived)
  useEffect(() => {
    if (!arrived) return
    sessionStorage.setItem(storageKey, arrived)
    navigate(pathname, { replace: true })
  }, [arrived, pathname, storageKey, navigate])
  const forget = useCallback(() => sessionStorage.removeItem(storageKey), [storageKey])
  return { token: arrived ?? stored, forget }
}
