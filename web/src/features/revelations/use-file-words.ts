import { useEffect, useRef } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { Album } from '#web/features/media/use-album.ts'
import type { RevelationDraft } from './revelation-draft.ts'

/**
 * What is said in a file goes where the file goes: the words in the form are those of the first, and come back with a
 * file that is the first again. Words of one that was replaced by another stay, as its author may have the same film
 * in better.
 */
export function useFileWords(
  form: UseFormReturn<RevelationDraft>,
  { items, entries }: Pick<Album, 'items' | 'entries'>,
): void {
  const ownerId = useRef(entries[0]?.id)
  const knownIds = useRef<readonly string[]>(entries.map(({ id }) => id))
  const words = useRef(new Map<string, string>())
  const firstId = items[0]?.id
  useEffect(() => {
    if (firstId === undefined) return
    if (ownerId.current !== firstId) {
      const wasElsewhere = ownerId.current !== undefined && knownIds.current.includes(firstId)
      if (wasElsewhere) {
        words.current.set(ownerId.current ?? '', form.getValues('file_words'))
        form.setValue('file_words', words.current.get(firstId) ?? '', { shouldDirty: true })
      }
      ownerId.current = firstId
    }
    knownIds.current = entries.map(({ id }) => id)
  })
}
