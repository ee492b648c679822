import { SendHorizontal, SmilePlus, Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import { REPLY_MAX_LENGTH, replyInputSchema } from '#contract/replies.ts'
import { LeaveGuard } from '#web/features/media/leave-guard.tsx'
import { OwnVoicePlayer, ShortRecorder } from '#web/features/media/short-recorder.tsx'
import { useObjectUrl } from '#web/features/media/use-object-url.ts'
import { ApiError, errorSentence } from '#web/lib/api-client.ts'
import { formatShare } from '#web/lib/format.ts'
import { isStorageTemporary } from '#web/lib/provided-storage.ts'
import { Button } from '#web/ui/button.tsx'
import { Spinner } from '#web/ui/loading.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import type { ReplyComposerState } from './use-reply-composer.ts'

/** The counter appears once the end is near. */
const COUNTED_FROM = REPLY_MAX_LENGTH - 200

const ICON = { 'aria-hidden': true, className: 'size-5 shrink-0' } as const

interface ReplyComposerProps {
  composer: ReplyComposerState
  onDefer: () => void
}

/** An emoji, words, a voice; and as large, to reply later, if at all. */
export function ReplyComposer({ composer, onDefer }: ReplyComposerProps) {
  const { content, setContent, refusal, error, isPending, pendingEmoji, share, recording } =
    composer
  const isRecording = recording.state.phase !== 'idle'
  const isSendingWords = isPending && pendingEmoji == null
  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isPending) composer.send()
      }}
    >
      <LeaveGuard
        when={composer.isFragile}
        title="Quitter la page&#8239;?"
        description={`Votre voix n’est pas envoyée\u202F: elle serait perdue.${isStorageTemporary() ? '' : ' Vos mots sont gardés sur cet appareil.'}`}
      />
      <EmojiRow composer={composer} />
      <TextArea
        label="Un mot"
        hideLabel
        placeholder="Un mot pour répondre"
        rows={3}
        className="[&_textarea]:max-h-80"
        value={content}
        error={refusal}
        onChange={({ target }) => setContent(target.value)}
        {...(content.length > COUNTED_FROM && { limit: REPLY_MAX_LENGTH, length: content.length })}
      />
      <VoicePart composer={composer} />
      {error && (
        <Notice tone="error" title="Votre réponse n’est pas partie">
          {reasonOf(error)}
        </Notice>
      )}
      <div className="grid gap-2.5 sm:grid-cols-2">
        <Button
          type="submit"
          large
          busy={isSendingWords}
          disabled={isRecording}
          busyLabel={share !== undefined && share < 1 ? `Envoi… ${formatShare(share)}` : 'Envoi…'}
          icon={<SendHorizontal {...ICON} />}
        >
          Envoyer
        </Button>
        <Button
          variant="secondary"
          large
          onClick={() => {
            recording.stop()
            onDefer()
          }}
        >
          Garder pour moi
        </Button>
      </div>
    </form>
  )
}

/** The server's sentence about a field is the whole reason here. */
function reasonOf(error: Error): string {
  const [ofField] = error instanceof ApiError ? Object.values(error.fields) : []
  return ofField ?? errorSentence(error, 'Réessayez dans un instant.')
}

/** Each with its accessible name. */
const EMOJIS = [
  ['❤️', 'Un cœur'],
  ['😊', 'Un sourire'],
  ['😢', 'Une larme'],
  ['😂', 'Un éclat de rire'],
  ['🙏', 'Merci'],
  ['🎉', 'Bravo'],
] as const

const EMOJI_CLASS =
  'emoji-button border-line-strong! bg-surface hover:border-ink-soft! [&_.emoji]:text-2xl'

function EmojiRow({ composer }: { composer: ReplyComposerState }) {
  const { isPending, pendingEmoji, sendEmoji } = composer
  const [isTyping, setTyping] = useState(false)
  const hintId = useId()
  return (
    <div className="flex flex-col gap-2">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form */}
      <div role="group" aria-label="Répondre d’un emoji" className="flex flex-wrap gap-1 sm:gap-2">
        {EMOJIS.map(([emoji, name]) => (
          <button
            key={emoji}
            type="button"
            aria-label={name}
            aria-describedby={hintId}
            title={name}
            // Not `disabled`, which would take the focus away.
            aria-disabled={isPending || undefined}
            className={EMOJI_CLASS}
            onClick={() => !isPending && sendEmoji(emoji)}
          >
            {pendingEmoji === emoji ? (
              <Spinner />
            ) : (
              <span aria-hidden="true" className="emoji">
                {emoji}
              </span>
            )}
          </button>
        ))}
        <button
          type="button"
          aria-expanded={isTyping}
          className="emoji-button border-line-strong! bg-surface px-4! hover:border-ink-soft!"
          onClick={() => setTyping(!isTyping)}
        >
          <SmilePlus {...ICON} />
          Autre
        </button>
      </div>
      {isTyping && <OtherEmoji composer={composer} />}
      <p id={hintId} className="text-ink-soft text-sm">
        Un emoji part dès que vous le touchez.
      </p>
    </div>
  )
}

function focusOnAppearing(field: HTMLInputElement | null): void {
  field?.focus()
}

/** Any other emoji, of the keyboard of the device. It stands in the form of the words, and is none itself. */
function OtherEmoji({ composer: { isPending, sendEmoji } }: { composer: ReplyComposerState }) {
  const [emoji, setEmoji] = useState('')
  const [refusal, setRefusal] = useState<string>()
  const send = () => {
    const typed = emoji.trim()
    const { success } = replyInputSchema.safeParse({ emoji: typed })
    setRefusal(success ? undefined : 'Choisissez un seul emoji')
    if (success && !isPending) sendEmoji(typed)
  }
  return (
    <div className="flex flex-wrap items-start gap-2">
      <TextField
        label="Un autre emoji, de votre clavier"
        hideLabel
        placeholder="Un emoji de votre clavier"
        autoComplete="off"
        ref={focusOnAppearing}
        className="min-w-0 flex-1 basis-52"
        value={emoji}
        error={refusal}
        onChange={({ target }) => setEmoji(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          send()
        }}
      />
      <Button variant="secondary" className="min-h-12" onClick={send}>
        Envoyer cet emoji
      </Button>
    </div>
  )
}

function VoicePart({ composer }: { composer: ReplyComposerState }) {
  const { recording, voice, eraseVoice, isPending } = composer
  const url = useObjectUrl(voice?.file)
  if (!voice) return <ShortRecorder recording={recording} label="Répondre de vive voix" hasPause />
  return (
    <div className="flex flex-col items-stretch gap-2">
      <OwnVoicePlayer url={url} durationSeconds={voice.durationSeconds} />
      <Button
        variant="ghost"
        className="-ml-4 self-start"
        disabled={isPending}
        icon={<Trash2 {...ICON} />}
        onClick={eraseVoice}
      >
        Effacer cette voix
      </Button>
    </div>
  )
}
