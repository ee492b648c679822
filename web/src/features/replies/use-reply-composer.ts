import { useEffect, useRef, useState } from 'react'
import { REPLY_VOICE_MAX_SECONDS, replyInputSchema } from '#contract/replies.ts'
import { useShortRecording } from '#web/features/media/use-short-recording.ts'
import { createId } from '#web/lib/ids.ts'
import { type ReplyDraft, storedReplyDraft } from '#web/lib/reply-drafts.ts'
import {
  deleteReplyVoice,
  findReplyVoice,
  type ReplyVoice,
  storeReplyVoice,
} from '#web/lib/reply-voice-store.ts'
import { useSendReply } from './replies.queries.ts'

/** A reply that is being written: its words and its voice survive a reload. */
export function useReplyComposer(revelationId: string, onSent: () => void) {
  const { voice, setVoice, isStored } = useStoredVoice(revelationId)
  const { draft, setDraft } = useStoredDraft(revelationId, voice !== undefined)
  const [share, setShare] = useState<number>()
  const [refusal, setRefusal] = useState<string>()
  const triedEmoji = useRef<{ emoji: string; id: string }>(undefined)
  const { mutate, isPending, error, variables, reset } = useSendReply(revelationId)
  const recording = useShortRecording({
    longestSeconds: REPLY_VOICE_MAX_SECONDS,
    fileName: 'reponse',
    onRecorded: (file, durationSeconds) => changeVoice({ file, durationSeconds }),
  })

  // Words may have been typed, or sent, while it was recorded: a recording remembers the page as it began.
  const isSending = useRef(false)
  useEffect(() => {
    isSending.current = isPending
  }, [isPending])
  const changeVoice = (changed: ReplyVoice | undefined) => {
    setVoice(changed)
    setDraft(({ content }) => newDraft(content))
    setRefusal(undefined)
    if (!isSending.current) reset()
  }

  return {
    content: draft.content,
    setContent: (content: string) => {
      setDraft(newDraft(content))
      setRefusal(undefined)
    },
    recording,
    voice,
    /** It would be lost with the page. */
    isFragile: recording.state.phase !== 'idle' || (voice !== undefined && !isStored),
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
            // What was typed or recorded meanwhile is another reply.
            setDraft((now) => (now.content === words.content ? newDraft() : now))
            if (voice) setVoice(undefined)
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

/** An id is worth storing once there is something that goes under it. */
function useStoredDraft(revelationId: string, hasVoice: boolean) {
  const [draft, setDraft] = useState(() => storedReplyDraft(revelationId).read() ?? newDraft())
  useEffect(() => {
    const stored = storedReplyDraft(revelationId)
    if (draft.content.trim() || hasVoice) stored.write(draft)
    else stored.remove()
  }, [revelationId, draft, hasVoice])
  return { draft, setDraft }
}

function useStoredVoice(revelationId: string) {
  const [voice, setVoice] = useState<ReplyVoice>()
  const [stored, setStored] = useState<ReplyVoice>()
  useEffect(() => {
    let isOver = false
    const show = (found: ReplyVoice | undefined) => {
      if (isOver || !found) return
      setStored(found)
      setVoice((recorded) => recorded ?? found)
    }
    findReplyVoice(revelationId).then(show, () => undefined)
    return () => {
      isOver = true
    }
  }, [revelationId])
  return {
    voice,
    isStored: voice === stored,
    setVoice: (changed: ReplyVoice | undefined) => {
      setVoice(changed)
      const storing = changed
        ? storeReplyVoice(revelationId, changed).then(() => setStored(changed))
        : deleteReplyVoice(revelationId)
      // Where the device stores nothing, it lives on this page.
      storing.catch(() => undefined)
    },
  }
}

function newDraft(content = ''): ReplyDraft {
  return { id: createId(), content }
}
