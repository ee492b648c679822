import { FileAudio, Mic } from 'lucide-react'
import { Button } from '#web/ui/button.tsx'

interface RecordActionsProps {
  onRecord: () => void
  onImport: () => void
}

export function RecordActions({ onRecord, onImport }: RecordActionsProps) {
  return (
    <div className="flex flex-wrap gap-3">
      <Button large icon={<Mic aria-hidden="true" className="size-5" />} onClick={onRecord}>
        Enregistrer
      </Button>
      <Button
        large
        variant="secondary"
        icon={<FileAudio aria-hidden="true" className="size-5" />}
        onClick={onImport}
      >
        Importer
      </Button>
    </div>
  )
}
