import { SmilePlus } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useId, useRef, useState } from 'react'
import { EMOJIS, type Emoji, INLINE_EMOJIS } from '#contract/reactions.ts'
import type { Revelation } from '#contract/revelations.ts'
import { useSession } from '#web/features/auth/session.tsx'
import { Icon } from '#web/ui/icon-sheet.tsx'
import { EmojiButton } from './reaction-buttons.tsx'
import { useToggleReaction } from './reactions.queries.ts'

const MoreEmojis = lazy(async () => ({
  default: (await import('./reaction-popover.tsx')).MoreEmojis,
}))
const SignInHint = lazy(async () => ({
  default: (await import('./reaction-popover.tsx')).SignInHint,
}))

interface ReactionRowProps {
  revelation: Revelation
  /** How many people left each emoji, where that is known. */
  countOf?: (emoji: Emoji) => number | undefined
  /** At the end of the row. */
  children?: ReactNode
}

/** The four usual emoji, others that are in use, and « + » for the rest. */
export function ReactionRow({ revelation, countOf, children }: ReactionRowProps) {
  const { id, title, my_reactions, can } = revelation
  const { user } = useSession()
  const toggle = useToggleReaction(id)
  const [opened, setOpened] = useState<'more' | 'hint'>()
  const anchor = useRef<HTMLButtonElement>(null)
  const hintId = useId()
  const isMine = (emoji: Emoji) => my_reactions.includes(emoji)
  const shown = EMOJIS.filter(
    (emoji) => INLINE_EMOJIS.includes(emoji) || isMine(emoji) || countOf?.(emoji),
  )
  const open = (what: 'more' | 'hint') => (event: { currentTarget: HTMLButtonElement }) => {
    anchor.current = event.currentTarget
    setOpened(opened === what ? undefined : what)
  }
  const refusal = user
    ? { disabled: !can.react }
    : { 'aria-disabled': true, 'aria-describedby': hintId, title: SIGN_IN_TO_REACT }
  const popover = { anchor, open: true, onOpenChange: () => setOpened(undefined) }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form
    <div role="group" aria-label={`Réagir à ${title}`} className="reaction-row">
      {shown.map((emoji) => (
        <EmojiButton
          key={emoji}
          {...refusal}
          emoji={emoji}
          isMine={isMine(emoji)}
          count={countOf?.(emoji)}
          onClick={user ? () => toggle({ emoji, isOn: !isMine(emoji) }) : open('hint')}
        />
      ))}
      {shown.length < EMOJIS.length && (
        <button
          {...refusal}
          type="button"
          aria-label="Autres réactions"
          aria-haspopup="dialog"
          aria-expanded={opened === 'more'}
          className="emoji-button text-ink-soft"
          onClick={open(user ? 'more' : 'hint')}
        >
          <Icon icon={SmilePlus} className="size-5" />
        </button>
      )}
      {!user && (
        <span id={hintId} className="sr-only">
          {SIGN_IN_TO_REACT}
        </span>
      )}
      {children}
      <Suspense>
        {opened === 'hint' && <SignInHint {...popover} sentence={SIGN_IN_TO_REACT} />}
        {opened === 'more' && (
          <MoreEmojis
            {...popover}
            emojis={EMOJIS.filter((emoji) => !INLINE_EMOJIS.includes(emoji))}
            isMine={isMine}
            onChoose={(emoji) => {
              toggle({ emoji, isOn: !isMine(emoji) })
              setOpened(undefined)
            }}
          />
        )}
      </Suspense>
    </div>
  )
}

const SIGN_IN_TO_REACT = 'Vous devez être connecté pour réagir'
