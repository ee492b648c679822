import { type ComponentProps, useState } from 'react'
import type { Emoji } from '#contract/reactions.ts'
import { classNames } from '#web/ui/class-names.ts'
import { EMOJI_NAMES } from './reaction-words.ts'

interface EmojiButtonProps extends ComponentProps<'button'> {
  emoji: Emoji
  isMine: boolean
  /** How many left it, where that is known. */
  count?: number | undefined
}

/** One emoji to leave or take back. It rejoices when it is left. */
export function EmojiButton({
  emoji,
  isMine,
  count,
  onClick,
  className,
  ...rest
}: EmojiButtonProps) {
  const [joys, setJoys] = useState(0)
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
        if (!isMine && event.currentTarget.ariaDisabled !== 'true') setJoys(joys + 1)
      }}
    >
      <span
        key={joys}
        aria-hidden="true"
        data-emoji={emoji}
        className={classNames('emoji', joys > 0 && isMine && 'emoji-joy')}
      >
        {emoji}
      </span>
      {count ? <span className="digits text-sm">{count}</span> : null}
    </button>
  )
}
