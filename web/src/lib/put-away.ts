import { useState } from 'react'
import { storedValue } from './storage.ts'

/** Whether a person put something away on this device until tomorrow, and the function that does. */
export function usePutAwayToday(name: string, userId: string): [boolean, () => void] {
  const stored = storedValue(name, (value) => (typeof value === 'string' ? value : undefined))
  const today = `${userId} ${new Date().toDateString()}`
  const [isPutAway, setPutAway] = useState(() => stored.read() === today)
  const putAway = () => {
    stored.write(today)
    setPutAway(true)
  }
  return [isPutAway, putAway]
}
