import { Search, X } from 'lucide-react'
import { type RefObject, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'

const SEARCH_DELAY_MS = 300

interface SearchBoxProps {
  /** What it finds, for those who do not see the placeholder. */
  label: string
  placeholder: string
  q: string
  onSearch: (q: string) => void
  className?: string
}

/** Searches a moment after the last key. The « / » key leads to it: one on a page. */
export function SearchBox({ label, placeholder, q, onSearch, className }: SearchBoxProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const { text, setText, searchNow } = useSearchText(q, onSearch)
  useSlashFocus(input)
  return (
    // biome-ignore lint/a11y/useSemanticElements: <search> is unknown to browsers older than 2023
    <form
      role="search"
      className={classNames('relative', className)}
      onSubmit={(event) => {
        event.preventDefault()
        searchNow(text)
      }}
    >
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <Search
        aria-hidden="true"
        className="-translate-y-1/2 pointer-events-none absolute top-1/2 left-3.5 size-5 text-ink-soft"
      />
      <input
        ref={input}
        id={id}
        type="search"
        enterKeyHint="search"
        autoComplete="off"
        placeholder={placeholder}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className="min-h-12 w-full rounded-field border border-line-strong bg-surface pr-12 pl-11 text-base text-ink placeholder:text-ink-soft focus-visible:outline-offset-0 [&::-webkit-search-cancel-button]:hidden"
      />
      {text ? (
        <IconButton
          label="Effacer la recherche"
          icon={<X aria-hidden="true" className="size-5" />}
          className="absolute top-0.5 right-0.5"
          onClick={() => {
            searchNow('')
            input.current?.focus()
          }}
        />
      ) : (
        <span
          aria-hidden="true"
          className="-translate-y-1/2 absolute top-1/2 right-3.5 hidden rounded-md border border-line-strong px-2 py-0.5 text-ink-soft text-sm sm:block"
        >
          /
        </span>
      )}
    </form>
  )
}

/** The « / » key leads to the search box from anywhere but another field. */
function useSlashFocus(input: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return
      const isTyping =
        event.target instanceof Element &&
        event.target.closest('input:not([type=radio]), textarea, select, [contenteditable]')
      if (isTyping) return
      event.preventDefault()
      input.current?.focus()
      input.current?.select()
    }
    document.addEventListener('keydown', focus)
    return () => document.removeEventListener('keydown', focus)
  }, [input])
}

/**
 * The text in the search box, sent a moment after the last key. When the search changes elsewhere (back button,
 * cleared filters), the box follows; when it is only our own search coming back, what was typed since stays.
 */
function useSearchText(q: string, onSearch: (q: string) => void) {
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
