import { AlertDialog } from 'radix-ui'
import type { ReactNode } from 'react'
import { useReturnFocus } from '#web/lib/focus.ts'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import { DialogFooter, dialogPanelClass } from './dialog.tsx'
import { Notice } from './notice.tsx'

interface ConfirmDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The question. */
  title: string
  /** What happens if the answer is yes. */
  description?: ReactNode
  confirmLabel: string
  cancelLabel?: string
  busy?: boolean
  /** Why the last attempt failed. */
  error?: string | undefined
  onConfirm: () => void
  /** What the focus goes to when it closes, where that is not what opened it. */
  returnTo?: () => HTMLElement | null | undefined
}

/** A question before something that cannot be undone; the way back has the focus. */
export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  description,
  confirmLabel,
  cancelLabel = 'Annuler',
  busy = false,
  error,
  onConfirm,
  returnTo,
}: ConfirmDialogProps) {
  const returnFocus = useReturnFocus(returnTo)
  return (
    <AlertDialog.Root open={open} onOpenChange={onOpenChange}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="dialog-veil fixed inset-0 z-50 bg-veil backdrop-blur-[2px]" />
        <AlertDialog.Content
          {...returnFocus}
          {...(description ? {} : { 'aria-describedby': undefined })}
          className={classNames(dialogPanelClass, 'sm:max-w-md')}
        >
          <div className="min-h-0 overflow-y-auto p-5">
            <AlertDialog.Title className="text-xl">{title}</AlertDialog.Title>
            {description && (
              <AlertDialog.Description asChild>
                <div className="mt-2 text-ink-soft">{description}</div>
              </AlertDialog.Description>
            )}
            {error && (
              <Notice tone="error" className="mt-4">
                {error}
              </Notice>
            )}
          </div>
          <DialogFooter>
            <AlertDialog.Cancel asChild>
              <Button variant="secondary">{cancelLabel}</Button>
            </AlertDialog.Cancel>
            <Button variant="danger" busy={busy} onClick={onConfirm}>
              {confirmLabel}
            </Button>
          </DialogFooter>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
