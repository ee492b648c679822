import { Heart } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import type { Emoji } from '#contract/reactions.ts'
import type { Revelation } from '#contract/revelations.ts'
import { classNames } from '#web/ui/class-names.ts'
import { useToggleReaction } from './reactions.queries.ts'

interface EmojiButtonProps extends ComponentProps<'button'> {
  emoji: Emoji
  isMine: boolean
  /** How many people left it, where that is known. */
  count?: number | undefined
}

/** A button that adds or removes one emoji, with an animation when it is added. */
export function EmojiButton({
  emoji,
  isMine,
  count,
  onClick,
  className,
  ...rest
}: EmojiButtonProps) {
  const [animations, setAnimations] = useState(0)
  const name = EMOJI_NAMES[emoji]
  return (
    <button
      title={name}
      {...rest}
      type="button"
      aria-label={count ? `${name}, ${count}` : name}
      aria-pressed={isMine}
      className={classNames('emoji-button', className)}
      onClick={(event) => {
        onClick?.(event)
        if (!isMine && event.currentTarget.ariaDisabled !== 'true') setAnimations(animations + 1)
      }}
    >
      <span
        key={animations}
        aria-hidden="true"
        data-emoji={animations > 0 ? emoji : undefined}
        className={classNames('emoji', animations > 0 && isMine && 'reaction-burst')}
      >
        {emoji}
      </span>
      {count ? <span className="tabular-digits text-sm">{count}</span> : null}
    </button>
  )
}

export function HeartToggle({ revelation }: { revelation: Revelation }) {
  const { id, my_reactions } = revelation
  const toggle = useToggleReaction(id)
  const isMine = my_reactions.includes(HEART)
  return (
    <button
      type="button"
      aria-label={EMOJI_NAMES[HEART]}
      aria-pressed={isMine}
      title={EMOJI_NAMES[HEART]}
      className="-ml-2.5 inline-flex size-11 items-center justify-center rounded-full text-ink-soft hover:bg-sunken aria-pressed:text-wax-ink"
      onClick={() => toggle({ emoji: HEART, isOn: !isMine })}
    >
      <Heart
        aria-hidden="true"
        className={classNames('size-6', isMine && 'reaction-pop fill-current')}
      />
    </button>
  )
}

/** The accessible name of each emoji. */
export const EMOJI_NAMES: Record<Emoji, string> = {
  '❤️': 'J’adore',
  '😍': 'Sous le charme',
  '😲': 'Quelle surprise',
  '🎉': 'Bravo',
  '🔥': 'Ça enflamme',
  '😮': 'Sans voix',
  '👍': 'D’accord',
  '👎': 'Pas d’accord',
}

const HEART: Emoji = '❤️'
