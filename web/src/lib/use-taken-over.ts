import { useEffect, useState } from 'react'

/** Whether React answers here: in a first screen made by the server nothing does, until the code has arrived. */
export function useTakenOver(): boolean {
  const [isTakenOver, setTakenOver] = useState(false)
  useEffect(() => setTakenOver(true), [])
  return isTakenOver
}
