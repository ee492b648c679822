import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { copyText } from './device.ts'

const subscribeToNothing = () => () => undefined

/** Whether React answers here: what the server rendered does nothing until the code has arrived. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  )
}

/** False too until React answers here. */
export function usePageVisible(): boolean {
  return useSyncExternalStore(
    subscribeToVisibility,
    () => document.visibilityState === 'visible',
    () => false,
  )
}

function subscribeToVisibility(onChange: () => void): () => void {
  document.addEventListener('visibilitychange', onChange)
  return () => document.removeEventListener('visibilitychange', onChange)
}

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

/** The whole seconds left before something may be done again; 0 when it may. */
export function useCooldown(durationMs: number): { secondsLeft: number; begin: () => void } {
  const [endsAt, setEndsAt] = useState(0)
  const [now, setNow] = useState(0)
  const secondsLeft = Math.max(0, Math.ceil((endsAt - now) / 1000))
  const isCooling = secondsLeft > 0
  useEffect(() => {
    if (!isCooling) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [isCooling])
  const begin = () => {
    setNow(Date.now())
    setEndsAt(Date.now() + durationMs)
  }
  return { secondsLeft, begin }
}

const INPUTS = ['pointerdown', 'keydown', 'wheel']

/** Calls back at each input anywhere on the page, while it is active. */
export function useInput(isActive: boolean, onInput: (event: Event) => void): void {
  const listener = useEffectEvent(onInput)
  useEffect(() => {
    if (!isActive) return
    const stop = new AbortController()
    for (const type of INPUTS) {
      addEventListener(type, (event) => listener(event), { signal: stop.signal, passive: true })
    }
    return () => stop.abort()
  }, [isActive])
}

// All the open pages reach zero together; a little chance spreads their calls.
const SPREAD_MS = 500
const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 30_000

/** Calls the server for what is due, ever more seldom, until it is due no longer. */
export function usePollUntil(isDue: boolean, call: () => Promise<unknown>): void {
  const poll = useEffectEvent(call)
  useEffect(() => {
    if (!isDue) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let wait = FIRST_WAIT_MS
    let isOver = false
    const attempt = async () => {
      // A failure is one more reason to call again: until then the seal stays whole.
      await poll().catch(() => undefined)
      if (isOver) return
      timer = setTimeout(attempt, wait)
      wait = Math.min(wait * 2, LONGEST_WAIT_MS)
    }
    timer = setTimeout(attempt, Math.random() * SPREAD_MS)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [isDue])
}

const CONFIRMED_MS = 2000

interface CopyResult {
  isCopied: boolean
  words: string
  /** The application to paste it in. */
  pasteIn?: string | undefined
}

/** Copies, and confirms for two seconds; that the browser does not copy stays said. */
export function useCopy() {
  const [result, setResult] = useState<CopyResult>()
  useEffect(() => {
    if (!result?.isCopied) return
    const timer = setTimeout(() => setResult(undefined), CONFIRMED_MS)
    return () => clearTimeout(timer)
  }, [result])
  const copy = async (words: string, pasteIn?: string): Promise<boolean> => {
    const isCopied = await copyText(words)
    setResult({ isCopied, words, pasteIn })
    return isCopied
  }
  return { result, copy }
}
