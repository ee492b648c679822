interface RecorderDialogProps {
  open: boolean
  onClose: () => void
  /** Whom it is for, chosen already. */
  recipientId?: string | undefined
}

export function RecorderDialog(_props: RecorderDialogProps) {
  return null
}
