import { type RefObject, useEffect, useRef } from 'react'
import { useSearchText } from '#web/lib/use-search-text.ts'
import { SearchField } from './search-field.tsx'

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
  const input = useRef<HTMLInputElement>(null)
  const { text, setText, searchNow } = useSearchText(q, onSearch)
  useSlashFocus(input)
  return (
    // biome-ignore lint/a11y/useSemanticElements: <search> is unknown to browsers older than 2023
    <form
      role="search"
      className={className}
      onSubmit={(event) => {
        event.preventDefault()
        searchNow(text)
      }}
    >
      <SearchField
        ref={input}
        label={label}
        hideLabel
        placeholder={placeholder}
        value={text}
        onChange={setText}
        onClear={() => searchNow('')}
        end={
          <span
            aria-hidden="true"
            className="-translate-y-1/2 absolute top-1/2 right-3.5 hidden rounded-md border border-line-strong px-2 py-0.5 text-ink-soft text-sm sm:block"
          >
            /
          </span>
        }
      />
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
