import { useEffect, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { REPLY_VOICE_MAX_SECONDS, replyInputSchema } from '#contract/replies.ts'
import { useShortRecording } from '#web/features/media/use-short-recording.ts'
import { DRAFT_PREFIX } from '#web/features/revelations/erase-drafts.ts'
import { createId } from '#web/lib/ids.ts'
import { storedValue } from '#web/lib/storage.ts'
import { useSendReply } from './replies.queries.ts'

/** What is written under an id: what changes is another reply, so that an id that arrived is never words that did not. */
const draftSchema = z.object({ id: z.string(), content: z.string() })
type ReplyDraft = z.infer<typeof draftSchema>

function storedDraftOf(revelationId: string) {
  return storedValue(`${DRAFT_PREFIX}reply:${revelationId}`, (stored) => draftSchema.parse(stored))
}

interface OwnVoice {
  file: File
  durationSeconds: number
}

/** A reply that is being written: its words survive a reload, its voice lives on this page. */
export function useReplyComposer(revelationId: string, onSent: () => void) {
  const { draft, setDraft } = useStoredDraft(revelationId)
  const [voice, setVoice] = useState<OwnVoice>()
  const [share, setShare] = useState<number>()
  const [refusal, setRefusal] = useState<string>()
  const triedEmoji = useRef<{ emoji: string; id: string }>(undefined)
  const { mutate, isPending, error, variables, reset } = useSendReply(revelationId)
  const recording = useShortRecording({
    longestSeconds: REPLY_VOICE_MAX_SECONDS,
    fileName: 'reponse',
    onRecorded: (file, durationSeconds) => changeVoice({ file, durationSeconds }),
  })

  // Words may have been typed while it was recorded.
  const changeVoice = (changed: OwnVoice | undefined) => {
    setVoice(changed)
    setDraft(({ content }) => newDraft(content))
    setRefusal(undefined)
    reset()
  }

  return {
    content: draft.content,
    setContent: (content: string) => {
      setDraft(newDraft(content))
      setRefusal(undefined)
    },
    recording,
    voice,
    eraseVoice: () => changeVoice(undefined),
    isBlank: draft.content.trim() === '' && voice === undefined,
    /** Why the words cannot be sent. */
    refusal,
    error,
    isPending,
    /** The emoji that is on its way. */
    pendingEmoji: isPending ? variables.emoji : undefined,
    /** How much of the voice has left. */
    share: isPending && variables.voice ? share : undefined,
    send: () => {
      const words = { content: draft.content }
      const checked = replyInputSchema.safeParse({ ...words, ...(voice && { file_url: 'sent' }) })
      setRefusal(checked.error?.issues[0]?.message)
      if (!checked.success) return
      setShare(0)
      mutate(
        { ...words, id: draft.id, voice: voice?.file, onProgress: setShare },
        {
          onSuccess: () => {
            setDraft(newDraft())
            setVoice(undefined)
            onSent()
          },
        },
      )
    },
    /** One tap, one reply; a second tap on what failed sends the same one. */
    sendEmoji: (emoji: string) => {
      const tried = triedEmoji.current
      const attempt = tried?.emoji === emoji ? tried : { emoji, id: createId() }
      triedEmoji.current = attempt
      setRefusal(undefined)
      mutate(attempt, {
        onSuccess: () => {
          triedEmoji.current = undefined
          onSent()
        },
      })
    },
  }
}

export type ReplyComposerState = ReturnType<typeof useReplyComposer>

function useStoredDraft(revelationId: string) {
  const [draft, setDraft] = useState(() => storedDraftOf(revelationId).read() ?? newDraft())
  useEffect(() => {
    const stored = storedDraftOf(revelationId)
    if (draft.content.trim()) stored.write(draft)
    else stored.remove()
  }, [revelationId, draft])
  return { draft, setDraft }
}

function newDraft(content = ''): ReplyDraft {
  return { id: createId(), content }
}
