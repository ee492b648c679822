import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  addReply,
  answerReply,
  blockReplies,
  listReplies,
  markRepliesRead,
  type Replies,
  type Reply,
  type ReplyInput,
  removeReply,
  unblockReplies,
} from '#contract/replies.ts'
import { uploadFile } from '#web/features/media/upload-file.ts'
import { restartReceived } from '#web/features/revelations/revelation-cache.ts'
import { ApiError, callApi } from '#web/lib/api-client.ts'
import { callOnce } from '#web/lib/call-once.ts'
import { deliveryKeyHeaders } from '#web/lib/delivery-key.ts'

/** The private replies to a letter; only its author and its addressees may ask. */
export function repliesQuery(revelationId: string) {
  return queryOptions({
    queryKey: ['replies', revelationId],
    queryFn: ({ signal }) =>
      callApi(
        listReplies,
        { params: { id: revelationId } },
        { signal, headers: deliveryKeyHeaders(revelationId) },
      ),
    // Nothing announces an answer to an addressee’s page: whoever comes back to it asks again.
    staleTime: 0,
  })
}

/** A reply on its way. Its id is chosen here: sent again, it is the same reply. */
export interface UnsentReply extends Pick<ReplyInput, 'content' | 'emoji'> {
  id: string
  voice?: File | undefined
  /** How much of the voice has left, from 0 to 1. */
  onProgress?: (share: number) => void
}

export function useSendReply(revelationId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ voice, onProgress, ...words }: UnsentReply) => {
      const file_url = voice && (await sendVoice(revelationId, voice, onProgress))
      const body = { ...words, ...(file_url && { file_url }) }
      const sent = callOnce(addReply, { params: { id: revelationId }, body }, keyOf(revelationId))
      return sent.catch((error) => {
        // It was swept meanwhile, or went with a reply whose answer was lost.
        if (voice && error instanceof ApiError && error.fields.file_url) arrivedVoices.delete(voice)
        throw error
      })
    },
    onSuccess: ({ reply }) => {
      void restartReceived(client)
      return changeReplies(client, revelationId, (known) => [
        ...known.filter(({ id }) => id !== reply.id),
        reply,
      ])
    },
  })
}

/** What has arrived is not sent twice: the reply that names it may be what failed. */
const arrivedVoices = new WeakMap<File, string>()

async function sendVoice(
  revelationId: string,
  voice: File,
  onProgress: UnsentReply['onProgress'],
): Promise<string> {
  const arrived = arrivedVoices.get(voice)
  if (arrived) return arrived
  const outcome = await uploadFile(
    voice,
    { folder: 'audio' },
    {
      ...keyOf(revelationId),
      onProgress: (loadedBytes) => onProgress?.(loadedBytes / voice.size),
    },
  )
  if (outcome.state === 'sent') {
    arrivedVoices.set(voice, outcome.result.url)
    return outcome.result.url
  }
  const sentence = outcome.state === 'failed' ? outcome.error : ''
  throw new ApiError(sentence, outcome.state === 'failed' ? 'invalid_file' : 'network')
}

export function useRemoveReply(revelationId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (replyId: string) =>
      callApi(removeReply, { params: { id: revelationId, replyId } }, keyOf(revelationId)),
    onSuccess: (_, replyId) => {
      void restartReceived(client)
      return changeReplies(client, revelationId, (known) =>
        known.filter(({ id }) => id !== replyId),
      )
    },
  })
}

export function useAnswerReply(revelationId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ replyId, content }: { replyId: string; content: string }) =>
      callOnce(answerReply, { params: { id: revelationId, replyId }, body: { content } }),
    onSuccess: ({ reply }) =>
      changeReplies(client, revelationId, (known) =>
        known.map((one) => (one.id === reply.id ? reply : one)),
      ),
  })
}

/** Says that the author saw them. A failure is not shown: the next look says it again. */
export function useMarkRepliesRead(revelationId: string) {
  const { mutate } = useMutation({
    mutationFn: () => callApi(markRepliesRead, { params: { id: revelationId } }),
  })
  return mutate
}

export function useBlockReplies(revelationId: string) {
  const refetch = useRefetchReplies(revelationId)
  return useMutation({
    mutationFn: (replyId: string) =>
      callApi(blockReplies, { params: { id: revelationId, replyId } }),
    onSuccess: refetch,
  })
}

export function useUnblockReplies(revelationId: string) {
  const refetch = useRefetchReplies(revelationId)
  return useMutation({
    mutationFn: (blockId: string) => callApi(unblockReplies, { params: { blockId } }),
    onSuccess: refetch,
  })
}

function useRefetchReplies(revelationId: string) {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: repliesQuery(revelationId).queryKey })
}

/** Fetches the replies again and picks one voice, whose ticket is a new one. */
export function useRenewVoice(revelationId: string) {
  const client = useQueryClient()
  return async (replyId: string) => {
    const { replies } = await client.fetchQuery(repliesQuery(revelationId))
    return replies.find(({ id }) => id === replyId)?.audio_url ?? null
  }
}

function keyOf(revelationId: string) {
  return { headers: deliveryKeyHeaders(revelationId) }
}

/** Changes the loaded replies; an answer that is on its way may be older. */
async function changeReplies(
  client: QueryClient,
  revelationId: string,
  change: (known: Reply[]) => Reply[],
): Promise<void> {
  const { queryKey } = repliesQuery(revelationId)
  await client.cancelQueries({ queryKey })
  client.setQueryData<Replies>(
    queryKey,
    (known) => known && { ...known, replies: change(known.replies) },
  )
}
