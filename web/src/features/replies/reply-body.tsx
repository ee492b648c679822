import type { ReactNode } from 'react'
import type { Reply } from '#contract/replies.ts'
import { AudioPlayer } from '#web/features/media/audio-player.tsx'
import { serverNow } from '#web/lib/clock.ts'
import { browserTimeZone, formatRelative, formatShortInstant } from '#web/lib/dates.ts'
import { useRenewVoice } from './replies.queries.ts'

interface ReplyBodyProps {
  revelationId: string
  reply: Reply
  /** What the voice is called: « votre réponse ». */
  voiceTitle: string
}

/** What a reply says: an emoji, words, a voice. */
export function ReplyBody({ revelationId, reply, voiceTitle }: ReplyBodyProps) {
  const { id, emoji, content, audio_url, duration } = reply
  const renew = useRenewVoice(revelationId)
  return (
    <div className="flex flex-col gap-2">
      {emoji && <p className="text-5xl leading-tight">{emoji}</p>}
      {content && <p className={WORDS_CLASS}>{content}</p>}
      {audio_url && (
        <AudioPlayer
          title={voiceTitle}
          url={audio_url}
          durationSeconds={duration}
          renew={() => renew(id)}
        />
      )}
    </div>
  )
}

const WORDS_CLASS = 'whitespace-pre-wrap text-lg leading-relaxed [overflow-wrap:anywhere]'

interface AnswerBodyProps {
  answer: NonNullable<Reply['answer']>
  /** Who wrote it: « Votre réponse », « @pseudo vous a répondu ». */
  head: ReactNode
}

/** What the author wrote back. */
export function AnswerBody({ answer, head }: AnswerBodyProps) {
  return (
    <div className="border-line-strong border-l-2 pl-4">
      <p className="flex flex-wrap gap-x-2 text-sm [overflow-wrap:anywhere]">
        <span className="font-semibold">{head}</span>
        <Moment at={answer.created_at} />
      </p>
      <p className={WORDS_CLASS}>{answer.content}</p>
    </div>
  )
}

/** « il y a 3 heures »; the whole date for whoever points at it. */
export function Moment({ at }: { at: string }) {
  return (
    <time
      dateTime={at}
      title={formatShortInstant(at, browserTimeZone())}
      className="shrink-0 text-ink-soft"
    >
      {formatRelative(at, serverNow())}
    </time>
  )
}
