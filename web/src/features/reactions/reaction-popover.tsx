import { Popover } from 'radix-ui'
import type { ReactNode, RefObject } from 'react'
import type { Emoji } from '#contract/reactions.ts'
import { SignInLink } from '#web/features/auth/auth-links.tsx'
import { classNames } from '#web/ui/class-names.ts'
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

interface AnchoredPopoverProps {
  /** The button that opened it: the popover stands beside it and gives it the focus back. */
  anchor: RefObject<HTMLElement | null>
  open: boolean
  onOpenChange: (open: boolean) => void
  label: string
  className?: string
  children: ReactNode
}

/** A few controls beside the button that asked for them. Escape and a tap elsewhere close it. */
function AnchoredPopover({
  anchor,
  open,
  onOpenChange,
  label,
  className,
  children,
}: AnchoredPopoverProps) {
  return (
    <Popover.Root open={open} onOpenChange={onOpenChange}>
      <Popover.Anchor virtualRef={anchor as RefObject<HTMLElement>} />
      <Popover.Portal>
        <Popover.Content
          aria-label={label}
          side="top"
          sideOffset={6}
          collisionPadding={8}
          onInteractOutside={(event) => {
            // The button itself closes it with its own click.
            if (anchor.current?.contains(event.target as Node)) event.preventDefault()
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            anchor.current?.focus({ preventScroll: true })
          }}
          className={classNames(
            'popover-panel z-50 border border-line bg-surface text-ink shadow-soft',
            className,
          )}
        >
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
