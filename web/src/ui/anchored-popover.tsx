import { Popover } from 'radix-ui'
import type { ReactNode, RefObject } from 'react'
import { classNames } from './class-names.ts'

export interface AnchoredPopoverProps {
  /** The button that opened it: the popover stands beside it and gives it the focus back. */
  anchor: RefObject<HTMLElement | null>
  open: boolean
  onOpenChange: (open: boolean) => void
  label: string
  className?: string
  children: ReactNode
}

/** A few controls beside the button that asked for them. Escape and a tap elsewhere close it. */
export function AnchoredPopover({
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
