import type { Emoji } from '#contract/reactions.ts'
import { SignInLink } from '#web/features/auth/auth-links.tsx'
import { AnchoredPopover, type AnchoredPopoverProps } from '#web/ui/anchored-popover.tsx'
import { EmojiButton } from './reaction-buttons.tsx'

type PopoverProps = Omit<AnchoredPopoverProps, 'label' | 'children' | 'className'>

interface MoreEmojisProps extends PopoverProps {
  emojis: readonly Emoji[]
  isMine: (emoji: Emoji) => boolean
  onChoose: (emoji: Emoji) => void
}

/** The emoji behind « + ». */
export function MoreEmojis({ emojis, isMine, onChoose, ...popover }: MoreEmojisProps) {
  return (
    <AnchoredPopover {...popover} label="Autres réactions" className="rounded-full p-1">
      <div className="flex gap-0.5">
        {emojis.map((emoji) => (
          <EmojiButton
            key={emoji}
            emoji={emoji}
            isMine={isMine(emoji)}
            onClick={() => onChoose(emoji)}
          />
        ))}
      </div>
    </AnchoredPopover>
  )
}

export function SignInHint({ sentence, ...popover }: PopoverProps & { sentence: string }) {
  return (
    <AnchoredPopover {...popover} label={sentence} className="max-w-72 rounded-card p-4">
      <p className="mb-3">{sentence}</p>
      <SignInLink className="w-full" />
    </AnchoredPopover>
  )
}
