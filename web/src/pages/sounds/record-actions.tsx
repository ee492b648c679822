import { FileAudio, Mic } from 'lucide-react'
import { Button } from '#web/ui/button.tsx'

interface RecordActionsProps {
  onRecord: () => void
  onImport: () => void
}

export function RecordActions({ onRecord, onImport }: RecordActionsProps) {
  return (
    <div className="grid grid-cols-2 gap-3 sm:flex">
      <Button
        large
        className="px-3! sm:px-6!"
        icon={<Mic aria-hidden="true" className="size-5" />}
        onClick={onRecord}
      >
        Enregistrer
      </Button>
      <Button
        large
        variant="secondary"
        className="px-3! sm:px-6!"
        icon={<FileAudio aria-hidden="true" className="size-5" />}
        onClick={onImport}
      >
        Importer
      </Button>
    </div>
  )
}
