import { X } from 'lucide-react'
import { Dialog as RadixDialog } from 'radix-ui'
import type { ReactNode } from 'react'
import { useReturnFocus } from '#web/lib/focus.ts'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'

interface DialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: ReactNode
  children?: ReactNode
  /** The buttons, always in sight at the bottom. */
  footer?: ReactNode
  /** It may be taller than a phone and holds nothing to focus: keys scroll it once it is reached itself. */
  isRead?: boolean
  wide?: boolean
  /** Under the night sky, whatever the theme. */
  night?: boolean
  /** It shows what no other does: neither Escape nor a press beside it closes it, its buttons alone. */
  isPersistent?: boolean
  /** What the focus goes to when it closes, where that is not what opened it. */
  returnTo?: () => HTMLElement | null | undefined
}

/** A window over the page; on a phone a sheet that rises from the bottom, near the thumb. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  footer,
  isRead = false,
  wide = false,
  night = false,
  isPersistent = false,
  returnTo,
}: DialogProps) {
  const returnFocus = useReturnFocus(returnTo)
  return (
    <RadixDialog.Root open={open} onOpenChange={onOpenChange}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="dialog-veil fixed inset-0 z-50 bg-veil backdrop-blur-[2px]" />
        <RadixDialog.Content
          {...returnFocus}
          onEscapeKeyDown={(event) => isPersistent && event.preventDefault()}
          onInteractOutside={(event) => isPersistent && event.preventDefault()}
          {...(description ? {} : { 'aria-describedby': undefined })}
          className={classNames(
            dialogPanelClass,
            wide ? 'sm:max-w-3xl' : 'sm:max-w-lg',
            night && 'theme-night bg-night-card',
          )}
        >
          <header className="flex items-start gap-3 px-5 pt-5">
            <RadixDialog.Title className="min-w-0 flex-1 wrap-anywhere pt-1.5 text-2xl">
              {title}
            </RadixDialog.Title>
            <RadixDialog.Close asChild>
              <IconButton
                label="Fermer"
                icon={<X aria-hidden="true" className="size-5" />}
                className="-mr-2"
              />
            </RadixDialog.Close>
          </header>
          <div
            tabIndex={isRead ? 0 : undefined}
            className="min-h-0 flex-1 overflow-y-auto px-5 pb-5"
          >
            {description && (
              <RadixDialog.Description asChild>
                <div className="text-ink-soft">{description}</div>
              </RadixDialog.Description>
            )}
            {children}
          </div>
          {footer && <DialogFooter>{footer}</DialogFooter>}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  )
}

export function DialogFooter({ children }: { children: ReactNode }) {
  return (
    <footer className="flex flex-col-reverse gap-2 border-line border-t px-5 pt-4 pb-[max(1rem,env(safe-area-inset-bottom))] sm:flex-row sm:justify-end">
      {children}
    </footer>
  )
}

export const dialogPanelClass = classNames(
  'dialog-panel fixed z-50 flex max-h-[90dvh] flex-col bg-surface text-ink shadow-soft',
  'inset-x-0 bottom-0 rounded-t-2xl',
  'sm:inset-x-auto sm:top-1/2 sm:bottom-auto sm:left-1/2 sm:w-[calc(100%-2rem)] sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-card',
)
