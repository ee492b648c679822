import { useSyncExternalStore } from 'react'

/** Some browsers have none of it. */
interface NetworkInformation extends EventTarget {
  downlink?: number
  effectiveType?: string
  saveData?: boolean
}

const SLOW_BELOW_MBIT = 1.5
const LIGHT_BELOW_MBIT = 2
const SLOW_TYPES = ['slow-2g', '2g', '3g']
const PHONE = '(max-width: 640px) and (pointer: coarse)'

/** `slow` shows the banner; `light` only selects the smaller file, as on a phone (behaviour.md 4.4). */
export type Connection = 'slow' | 'light' | 'good'

export function useConnection(): Connection {
  return useSyncExternalStore(subscribe, readConnection, () => 'good')
}

export function readConnection(): Connection {
  const { downlink, effectiveType = '', saveData } = network() ?? {}
  const isSlowType = SLOW_TYPES.includes(effectiveType)
  if (isSlowType || (downlink !== undefined && downlink < SLOW_BELOW_MBIT)) return 'slow'
  const wantsLight = saveData || (downlink !== undefined && downlink < LIGHT_BELOW_MBIT)
  return wantsLight || window.matchMedia(PHONE).matches ? 'light' : 'good'
}

function network(): NetworkInformation | undefined {
  return (navigator as Navigator & { connection?: NetworkInformation }).connection
}

function subscribe(listener: () => void): () => void {
  const information = network()
  const phone = window.matchMedia(PHONE)
  information?.addEventListener('change', listener)
  phone.addEventListener('change', listener)
  return () => {
    information?.removeEventListener('change', listener)
    phone.removeEventListener('change', listener)
  }
}
