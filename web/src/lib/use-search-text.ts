import { useEffect, useEffectEvent, useState } from 'react'

const SEARCH_DELAY_MS = 300

/**
 * The text in the search box, sent a moment after the last key. When the search changes elsewhere (back button,
 * cleared filters), the box follows; when it is only our own search coming back, what was typed since stays.
 */
export function useSearchText(q: string, onSearch: (q: string) => void) {
  const [text, setText] = useState(q)
  const [sent, setSent] = useState(q)
  const [known, setKnown] = useState(q)
  if (q !== known) {
    setKnown(q)
    if (q !== sent) {
      setSent(q)
      setText(q)
    }
  }
  const send = useEffectEvent((wanted: string) => {
    setSent(wanted)
    onSearch(wanted)
  })
  useEffect(() => {
    const wanted = text.trim()
    if (wanted === sent) return
    const timer = setTimeout(() => send(wanted), SEARCH_DELAY_MS)
    return () => clearTimeout(timer)
  }, [text, sent])
  const searchNow = (wanted: string) => {
    setText(wanted)
    setSent(wanted.trim())
    onSearch(wanted.trim())
  }
  return { text, setText, searchNow }
}
