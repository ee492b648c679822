import { Search, X } from 'lucide-react'
import { type RefObject, useEffect, useRef } from 'react'
import { IconButton } from '#web/ui/icon-button.tsx'
import { useSearchText } from './use-search-text.ts'

interface SearchBoxProps {
  q: string
  onSearch: (q: string) => void
}

export function SearchBox({ q, onSearch }: SearchBoxProps) {
  const input = useRef<HTMLInputElement>(null)
  const { text, setText, searchNow } = useSearchText(q, onSearch)
  useSlashFocus(input)
  return (
    // biome-ignore lint/a11y/useSemanticElements: <search> is unknown to browsers older than 2023
    <form
      role="search"
      className="relative sm:max-lg:col-span-2"
      onSubmit={(event) => {
        event.preventDefault()
        searchNow(text)
      }}
    >
      <label htmlFor="recherche" className="sr-only">
        Rechercher un titre, un pseudo ou un contenu
      </label>
      <Search
        aria-hidden="true"
        className="-translate-y-1/2 pointer-events-none absolute top-1/2 left-3.5 size-5 text-ink-soft"
      />
      <input
        ref={input}
        id="recherche"
        type="search"
        enterKeyHint="search"
        autoComplete="off"
        placeholder="Un titre, un pseudo, un contenu"
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
