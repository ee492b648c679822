import { useEffect, useState } from 'react'

/** The value once it has stayed the same for a while; nothing at all is nothing at once. */
export function useDebounced(text: string, delayMs: number): string {
  const [settled, setSettled] = useState(text)
  if (text === '' && settled !== '') setSettled('')
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), delayMs)
    return () => clearTimeout(timer)
  }, [text, delayMs])
  return settled
}
