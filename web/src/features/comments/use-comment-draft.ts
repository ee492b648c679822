import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { useReducer } from 'react'

/**
 * What is being written under a revelation. It survives closing the panel and turning the page, and leaves with the person:
 * the cache is emptied when the session changes.
 */
export function useCommentDraft(revelationId: string) {
  const { data: draft = '' } = useQuery<string>({
    queryKey: draftKey(revelationId),
    queryFn: skipToken,
    initialData: '',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
  const changeDraft = useChangeDraft(revelationId)
  // The cache tells of a change a moment later; a field that is not written at once loses keys.
  const [, renderNow] = useReducer((renders: number) => renders + 1, 0)
  const setDraft = (text: string) => {
    changeDraft(() => text)
    renderNow()
  }
  return { draft, setDraft }
}

/** Changes the draft without following it: the list of comments does not render at each key. */
export function useChangeDraft(revelationId: string) {
  const client = useQueryClient()
  return (change: (draft: string) => string) => {
    client.setQueryData<string>(draftKey(revelationId), (draft = '') => change(draft))
  }
}

function draftKey(revelationId: string) {
  return ['comment-draft', revelationId]
}
