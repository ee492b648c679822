interface ImportDialogProps {
  open: boolean
  onClose: () => void
}

export function ImportDialog(_props: ImportDialogProps) {
  return null
}
