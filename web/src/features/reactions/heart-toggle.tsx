import { Heart } from 'lucide-react'
import type { Revelation } from '#contract/revelations.ts'
import { classNames } from '#web/ui/class-names.ts'
import { EMOJI_NAMES, HEART } from './reaction-words.ts'
import { useToggleReaction } from './reactions.queries.ts'

/** The quickest reaction, for whoever may react. */
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
        className={classNames('size-6', isMine && 'heart-joy fill-current')}
      />
    </button>
  )
}
